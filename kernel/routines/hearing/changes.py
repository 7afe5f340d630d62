"""The verbs that say what happens to a file, in the forms that a trigger has, English and German; to be added to."""

from __future__ import annotations

from kernel.routines.model import Change

C = Change
_VERBS: dict[Change, str] = {
    C.CREATED: "take taken mache mach aufnehme schieße turns turn turned shows show appears appear appeared arrives "
    "arrive arrived lands land landed comes come pops pop popped created "
    "added saved downloaded dropped placed download save add drop made written copied exported scanned ends put "
    "puts saves downloads drops adds "
    "copies copy create creates finishes auftaucht auftauchen taucht tauchen erscheint erscheinen landet landen "
    "ankommt ankommen kommt kommen "
    "kimmt reinkommt reinkommen dazukommt dazukommen hereinkommt hinzukommt eintrifft trifft erstellt angelegt "
    "gespeichert abgelegt runtergeladen "
    "heruntergeladen hinzugefügt kopiert reinkopiert gekommen aufgetaucht gelandet angekommen speichert speichere "
    "lade lädt runterlade runterlädt "
    "herunterlade herunterlädt ablege ablegt lege legt reinlege reinlegt gelegt reingelegt entsteht einlangt "
    "eintrudelt trudelt eintreffen "
    "hineinkommt hineingelegt reinschmeißt kopiere erstelle erstellen liegt liegen lieg gibt there exists",
    C.CHANGED: "changes changed change edited edits edit modified modifies updated updates update altered touches "
    "changing editing updating modifying altering touched overwritten ändert ändern "
    "ändere geändert bearbeitet bearbeite bearbeiten verändert verändern aktualisiert überschrieben angefasst "
    "überarbeitet modifiziert ergänzt aktualisiere",
    C.MOVED_IN: "moved moves move dragged drag drags shifted shifts shift verschoben verschiebe "
    "verschiebt schiebe schiebt geschoben reingeschoben verlegt verschieb ziehe zieht gezogen",
    C.DELETED: "deleted deletes delete removed removes remove disappears disappear vanishes vanish disappeared "
    "vanished erased missing gelöscht "
    "lösche löscht verschwindet verschwinden verschwunden entfernt entferne weggeworfen weg gone fehlt",
}  # fmt: skip
CHANGES = {word: change for change, words in _VERBS.items() for word in words.split()}
