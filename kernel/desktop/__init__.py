"""Desktop: what the daemon does in the person's own session for a call that may: open, clipboard, picture, notice.

A cell has no display and no session bus, so these are doors of the daemon's, a right each (``desktop.open:PLACE``,
``desktop.use:screenshot``). It promises: nothing that could run as a program is opened; what is opened is the very
place that stood on the card; without a display it says what is missing. It never types, clicks or reads another window.
"""

from kernel.desktop.clipboard import copied, put_on_clipboard
from kernel.desktop.notices import Notices, notify
from kernel.desktop.opening import open_place
from kernel.desktop.screenshot import screenshot

__all__ = ["Notices", "copied", "notify", "open_place", "put_on_clipboard", "screenshot"]
