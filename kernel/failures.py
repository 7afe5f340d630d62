"""What went wrong, in the language of the request.

The lower rooms speak one language; what of theirs can end a request is said here by code in the other, with the file
or folder that it is about. An unknown code is said by its family, so that no request ends in the wrong language.
"""

from __future__ import annotations

from collections.abc import Mapping

from kernel.errors import KernelError
from permissions.errors import Conflict, PermissionsError
from skills.errors import SkillError

_NAMED = 5
_NOTHING = "Es wurde nichts geändert."

GERMAN: Mapping[str, tuple[str, str]] = {
    "conflict": ("{subject}: seit der Plan es angesehen hat, hat sich etwas geändert.",
                 f"{_NOTHING} Sieh dir die Dateien an und frag noch einmal."),
    "conflict.read": ("{subject}: wurde dafür gelesen und hat sich seitdem geändert.",
                      f"{_NOTHING} Frag noch einmal, dann wird es neu gelesen."),
    "conflict.taken": ("{subject} ist schon da.",
                       f"{_NOTHING} Verschiebe oder benenne um, was dort liegt, oder nenne einen anderen Ort."),
    "conflict.open": ("{subject} ist in einem anderen Programm zum Schreiben geöffnet.",
                      f"{_NOTHING} Schließe es dort und frag noch einmal."),
    "conflict.both": ("{subject}: gerade wurde gespeichert, darum liegen dort zwei Fassungen nebeneinander.",
                      "Vergleiche die beiden und frag noch einmal."),
    "conflict.undone": ("{subject}: das ist schon zurückgenommen.", "./steward runs zeigt, was getan wurde."),
    "refused": ("Das ist nicht erlaubt: {subject}.", f"{_NOTHING} Nenne eine andere Datei oder einen anderen Ordner."),
    "refused.budget": ("Das Budget ist verbraucht: {subject}.",
                       "Mehr erlauben: ./steward perms limit {subject} MENGE --total"),
    "refused.vanished": ("{subject} ist nicht mehr da.", f"{_NOTHING} Sieh nach und frag noch einmal."),
    "refused.swapped": ("{subject} ist nicht mehr das, was erlaubt wurde.",
                        f"{_NOTHING} Sieh nach und frag noch einmal."),
    "refused.replaced": ("{subject} wurde gerade von einem anderen Programm ersetzt.",
                         f"{_NOTHING} Frag noch einmal, wenn es damit fertig ist."),
    "refused.unheld": ("{subject} lässt sich nicht öffnen.",
                       f"{_NOTHING} Sieh nach, ob du es lesen darfst, und frag noch einmal."),
    "refused.elsewhere": ("{subject} führt an einen anderen Ort.", f"{_NOTHING} Nenne den Ort selbst."),
    "refused.device": ("{subject} ist ein Gerät, eine Pipe oder ein Socket.", "Nenne eine gewöhnliche Datei."),
    "refused.link": ("{subject} ist eine Verknüpfung, der hier nicht gefolgt wird.", "Nenne die Datei selbst."),
    "scope": ("{subject} ist kein Ort, mit dem Steward arbeiten kann.",
              "Nenne eine Datei oder einen Ordner mit ganzem Namen, etwa ~/Documents/Brief.txt."),
    **dict.fromkeys(("scope.effect", "scope.version", "scope.blob", "scope.mode"),
                    ("Ein Werkzeug hat eine Änderung beschrieben, die so nicht geht.",
                     f"{_NOTHING} Melde das dem Autor der Fähigkeit.")),
    "scope.vanished": ("{subject} gibt es nicht mehr, oder du darfst es nicht lesen.",
                       "Sieh nach, ob es noch da ist, und frag noch einmal."),
    "scope.kind": ("{subject} ist weder eine Datei noch ein Ordner.",
                   "Pipes, Sockets und Geräte bekommt keine Fähigkeit zu sehen."),
    "storage": ("{subject} ließ sich nicht schreiben.", f"{_NOTHING} Sieh nach dem Datenträger und frag noch einmal."),
    "storage.full": ("Es ist kein Platz, um {subject} zu schreiben.",
                     f"{_NOTHING} Schaffe Platz und frag noch einmal."),
    "storage.quota": ("Das braucht mehr Platz, als ein Auftrag haben darf.",
                      f"{_NOTHING} Verlange weniger auf einmal."),
    "storage.half_done": ("{subject}: der Datenträger ließ weder die Änderung zu noch, sie zurückzunehmen.",
                          "Mach ihn beschreibbar und starte Steward neu; dabei wird sie zurückgenommen: "
                          "./steward down, ./steward up"),
    "storage.read_only": ("{subject} liegt auf einem schreibgeschützten Datenträger.",
                          f"{_NOTHING} Mach ihn beschreibbar und frag noch einmal."),
    "storage.denied": ("Das System lässt {subject} nicht ändern.",
                       f"{_NOTHING} Erlaube dir das Schreiben dort und frag noch einmal."),
    "wall": ("Die Fähigkeit konnte hier nicht abgeschottet laufen, darum lief sie nicht.", "./steward doctor"),
    "result": ("Die Fähigkeit hat etwas geliefert, das nicht zu ihr passt.", "Melde das dem Autor der Fähigkeit."),
    "result.argument": ("Ein Wert passt nicht zu dem, was das Werkzeug braucht: {subject}.",
                        "Sag den Wert auf andere Weise."),
    "skill": ("Mit der Fähigkeit {subject} stimmt etwas nicht.", "./steward skills sagt, was."),
    "skill.changed": ("Die Fähigkeit {subject} hat sich geändert, seit Steward sie geladen hat.",
                      "Starte Steward neu: ./steward down, ./steward up"),
    "tool": ("Das Werkzeug {subject} ist nicht installiert.", "./steward skills zeigt, welche es gibt."),
    "limit": ("Das ist keine Grenze, die Steward setzen kann: {subject}.",
              "./steward perms limit --help zeigt, wie man sie schreibt."),
    "grant": ("Diese Erlaubnis ist unbrauchbar: {subject}.", "./steward perms zeigt die Erlaubnisse."),
    "refused.mail.address": ("„{subject}“ ist keine E-Mail-Adresse.", "Schreib sie ganz aus, etwa anna@example.org."),
    "refused.mail.header": ("„{subject}“ kann nicht im Kopf einer Mail stehen.",
                            "Lass Zeilenumbrüche und unsichtbare Zeichen weg und bleib unter 500 Zeichen."),
    "refused.mail.recipients": ("Eine Mail geht an 1 bis 50 Leute.", "Nenne die Empfänger."),
    "refused.mail.recipient": ("Der Server nimmt für {subject} keine Mail an.",
                               "Prüfe die Adresse. Es wurde nichts gesendet."),
    "refused.mail.server": ("{subject} hat die Mail nicht angenommen.",
                            "Es wurde nichts gesendet. Versuch es später noch einmal."),
    "refused.mail.size": ("Mit einer Mail können höchstens 25 MiB mitgehen.", "Sende weniger."),
    "refused.mail.text": ("Der Text der Mail ist zu lang oder kein reiner Text.", "Sende ihn als Datei."),
    "refused.mail.file": ("{subject} sollte mitgehen und ist nicht da.", "Nenne die Datei noch einmal."),
    "refused.net.address": ("{subject} führt zu keiner öffentlichen Adresse.",
                            "Erreichbar sind nur Rechner im öffentlichen Internet."),
    "refused.net.denied": ("Du hast die Verbindung mit {subject} verboten.",
                           "./steward perms zeigt, was verboten ist."),
    "mail": ("Mit der Mail stimmt etwas nicht: {subject}.", "Sieh nach mit: ./steward mail show"),
    "mail.none": ("Es ist kein Mailkonto eingerichtet.", "Richte eines ein mit: ./steward mail set"),
    "mail.account": ("Das Mailkonto ist nicht vollständig eingerichtet.", "Richte es neu ein mit: ./steward mail set"),
    "mail.smtp": ("Dein Mailkonto nennt keinen Server, der sendet (SMTP).", "Nenne ihn mit: ./steward mail set"),
    "mail.imap": ("Dein Mailkonto nennt keinen Server, der Mail hat (IMAP).", "Nenne ihn mit: ./steward mail set"),
    "mail.login": ("{subject} nimmt das Passwort nicht an.", "Setze es neu mit: ./steward secrets set mail"),
    "secret": ("Das Geheimnis {subject} lässt sich nicht verwenden.", "Setze es mit: ./steward secrets set {subject}"),
    "net": ("{subject} antwortet nicht, wie es soll.", "Prüfe das Netz und frag noch einmal."),
    "net.connect": ("{subject} antwortet nicht.", "Prüfe das Netz und frag noch einmal."),
    "net.name": ("Für {subject} gibt es keine Adresse.", "Prüfe den Namen und das Netz und frag noch einmal."),
    "net.tls": ("Dem Zertifikat von {subject} ist nicht zu trauen.",
                "Eine eigene Zertifizierungsstelle stellst du ein mit: ./steward config set ca_file DATEI"),
    "net.time": ("Es dauerte länger als {subject} Sekunden.", "Frag später noch einmal."),
    "kernel": ("Steward ist auf einen inneren Fehler gestoßen: {subject}.", "./steward doctor"),
    "task": ("Das Werkzeug {subject} ist auf einen inneren Fehler gestoßen.", "./steward doctor"),
}  # fmt: skip
"""By code or by its family (what stands before the dot): message and hint."""

REASONS_DE: Mapping[str, str] = {
    "it lies outside your home folder and the folder you called from":
        "es liegt weder in deinem persönlichen Ordner noch im Ordner des Aufrufs",
    "it belongs to the system": "es gehört zum System",
    "it holds keys or passwords": "dort liegen Schlüssel oder Passwörter",
    "it belongs to Steward itself": "es gehört Steward selbst",
    "it was not allowed there": "es wurde dort nicht erlaubt",
    "the time of this part of the tree is over": "die Zeit dieses Teils des Baums ist vorbei",
    "it asks for everything of its kind, which nobody is given":
        "es verlangt alles von seiner Art, und das bekommt niemand",
    "it is an address of this machine or of its network": "es ist eine Adresse dieses Rechners oder seines Netzes",
    "not granted yet": "noch nicht erlaubt",
    "the skill has changed since it was granted": "die Fähigkeit hat sich geändert, seit es erlaubt wurde",
    "the time of its grant is over": "die Zeit der Erlaubnis ist vorbei",
    "granted for this call": "erlaubt für diesen Aufruf",
    "granted for this run": "erlaubt für diesen Auftrag",
    "granted until": "erlaubt auf Zeit",
    "granted always": "erlaubt auf Dauer",
    "you denied it": "du hast es verboten",
}  # fmt: skip
"""Why the policy decides so, by its English reason."""


def told(error: Exception, language: str) -> tuple[str, str]:
    """Return message and hint of an error for a person who asked in ``language``."""
    hint = str(getattr(error, "hint", ""))
    if language != "de":
        return str(error), hint
    if isinstance(error, KernelError):
        return (error.de or str(error), error.de_hint or hint)
    if isinstance(error, PermissionsError | SkillError):
        return said(error.code, _subject(error)) or (str(error), hint)
    return str(error), hint


def said(code: str, subject: str) -> tuple[str, str] | None:
    """Return the German message and hint for ``code`` about ``subject``; None when its family is not known."""
    found = GERMAN.get(code) or GERMAN.get(code.partition(".")[0])
    return (found[0].format(subject=subject), found[1].format(subject=subject)) if found else None


def reason(text: str, language: str) -> str:
    """Return why the policy denies something, in ``language`` where it is known."""
    return REASONS_DE.get(text, text) if language == "de" else text


def _subject(error: PermissionsError | SkillError) -> str:
    paths = sorted(set(error.paths)) if isinstance(error, Conflict) else []
    more = f" und {len(paths) - _NAMED} weitere" if len(paths) > _NAMED else ""
    nothing = "das Gewünschte" if error.code.startswith("storage.") else "?"
    return ", ".join(paths[:_NAMED]) + more if paths else error.subject or nothing
