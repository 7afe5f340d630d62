"""Write ``docs/steward.schema.json`` anew: ``python -P -m skills.authoring.write_schema``."""

from __future__ import annotations

from skills.authoring.schema_file import PLACE, schema_text

if __name__ == "__main__":
    PLACE.write_text(schema_text(), encoding="utf-8")
