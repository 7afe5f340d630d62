"""The nouns of permissions: rights, verdicts, grants, labels' neighbours, cells and changes.

Everything here is a value. Enforcement lives in ``confine`` (the wall) and ``transactions`` (staging, commit, undo),
the decision in ``policy``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

EVERYTHING = "*"
"""The scope that stands for all of its kind; of files that is the tree ``/``."""


class Action(StrEnum):
    """What a call may ask to do. The scope's meaning follows the action (a path, ``host:port``, a tool, a name)."""

    FS_READ = "fs.read"
    FS_CREATE = "fs.create"
    FS_WRITE = "fs.write"  # change the content of what exists
    FS_DELETE = "fs.delete"  # delete (to the trash) or move away
    NET_CONNECT = "net.connect"
    SKILL_CALL = "skill.call"  # a tool by its id (files.find), or every tool of a skill (files)
    DEVICE_USE = "device.use"  # a device by its name in /dev: nvidia0
    GRAPH_READ = "graph.read"  # facts that carry a label
    GRAPH_WRITE = "graph.write"
    SECRET_USE = "secret.use"  # noqa: S105  (a right, no secret): the daemon puts it into a request; its value stays out of the cell
    SECRET_REVEAL = "secret.reveal"  # noqa: S105  (the same): its value enters the cell
    MICROPHONE_LISTEN = "microphone.listen"
    SYSTEM_READ = "system.read"  # one kind of fact about this machine: memory, disks, programs
    SYSTEM_STOP = "system.stop"  # end a program of the person's, by its name
    DESKTOP_OPEN = "desktop.open"  # show a file, a folder or a web address with the person's own program
    DESKTOP_USE = "desktop.use"  # one other thing of the session: clipboard.read, clipboard.write, screenshot, notify
    MODEL_SEE = "model.see"  # a class of data stands in what a model is asked: facts@127.0.0.1:11434


HOST_ACTIONS = frozenset({Action.SYSTEM_READ, Action.SYSTEM_STOP, Action.DESKTOP_OPEN, Action.DESKTOP_USE})
"""What only the daemon can answer or do, since a cell sees neither the machine nor the person's session."""

ASKED_EACH_TIME = frozenset({Action.SYSTEM_STOP, Action.DESKTOP_OPEN})
"""What a person is asked about every time: nothing takes it back, and no two of them are alike."""


@dataclass(frozen=True, slots=True, order=True)
class Right:
    """One thing a call wants to do, e.g. ``fs.read`` on the tree ``/home/u/Downloads``.

    ``tree`` is true when everything below ``scope`` is meant; a path scope is absolute and normalised.
    """

    action: Action
    scope: str
    tree: bool = False

    def __str__(self) -> str:
        return f"{self.action}:{self.scope.rstrip('/') + '/**' if self.tree else self.scope}"

    def wider(self) -> Iterator[Right]:
        """Yield every right that implies this one: itself, of a path the trees that hold it, of a host its domains."""
        yield self
        if not self.action.startswith("fs."):
            yield from (Right(self.action, scope) for scope in self._wider_scopes() if scope != self.scope)
            return
        if not self.tree:
            yield Right(self.action, self.scope, True)
        above = self.scope
        while above != "/":
            above = above.rpartition("/")[0] or "/"
            yield Right(self.action, above, True)

    def _wider_scopes(self) -> Iterator[str]:
        host, colon, port = self.scope.partition(":")
        if self.action is Action.NET_CONNECT and colon:
            for wide in (host, *_domains(host)):
                yield from dict.fromkeys((f"{wide}:{port}", f"{wide}:{EVERYTHING}"))
        if self.action is Action.SKILL_CALL and "." in self.scope:
            yield self.scope.partition(".")[0]
        if self.action is Action.MODEL_SEE and "@" in self.scope:
            yield f"{EVERYTHING}@{self.scope.rpartition('@')[2]}"
        yield EVERYTHING


def _domains(host: str) -> Iterator[str]:
    """Yield ``*.example.org``, ``*.org`` and ``*`` for a host below them; an address lies below ``*`` alone."""
    names = host.removeprefix("*.").split(".") if not host.replace(".", "").isdigit() else [host]
    first = 0 if host.startswith("*.") else 1
    for start in range(first, len(names)):
        yield "*." + ".".join(names[start:])
    if host != EVERYTHING:
        yield EVERYTHING


class Verdict(StrEnum):
    """The decision point's answer; the strictest along the path wins (deny > ask > allow)."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class GrantMode(StrEnum):
    """How long a grant holds."""

    ONCE = "once"
    RUN = "run"
    UNTIL = "until"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: a call of a tool of a skill (bound to the skill's content hash) in a run.

    ``client`` is the program in whose name (``mcp:NAME``); empty for the person: what one was granted no other has.
    """

    skill: str
    skill_hash: str
    tool: str
    run: str
    task: str
    client: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided on one right, by which node of the policy tree, why, and what would change it.

    ``expires_s`` is when the grant behind an ALLOW ends (Unix seconds), None when it does not.
    """

    right: Right
    verdict: Verdict
    node: str
    reason: str
    remedy: str = ""
    expires_s: float | None = None


class Level(StrEnum):
    """How strong the wall is on this machine. L3 namespaces + new root + Landlock + seccomp (+ cgroup);
    L2 Landlock + seccomp + rlimits; L1 rlimits only (refuses third-party code)."""

    L3 = "L3"
    L2 = "L2"
    L1 = "L1"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may use. Bytes, seconds, counts.

    ``memory_bytes`` is the most that it may ever have; it begins with ``reserve_bytes`` of them (0: with all) and gets
    more while it runs, as it needs it, where a control group tells that.
    """

    wall_s: float = 30.0
    cpu_s: int = 30
    memory_bytes: int = 1 << 30
    reserve_bytes: int = 0
    processes: int = 64
    file_bytes: int = 1 << 30
    open_files: int = 256


@dataclass(frozen=True, slots=True)
class Raised:
    """A call needed more memory than it had been given, and got it: before, now, and the most that it may have."""

    before_bytes: int
    now_bytes: int
    most_bytes: int


NETWORK_VARIABLE = "STEWARD_NETWORK"
"""In the environment of a call that may connect: the number of the descriptor that leads to the daemon."""

RELAY_VARIABLE = "STEWARD_RELAY"
"""In the environment of a call whose programs may connect: the numbers of the descriptors for that, with commas."""

RELAY_LINES = 8
"""So many connections the programs of a call may have at once."""

RELAY_PORT = 3128
"""Where, on the loopback of a cell, its programs find the relay; the only TCP port in there."""

CALLS_VARIABLE = "STEWARD_CALLS"
"""In the environment of a call that may ask for calls of other tools: the number of the descriptor to ask at."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A tree in which a call does as it likes: what it changes lands in ``upper``, never in the tree itself.

    ``below`` are the folders that show through where nothing was changed, uppermost first; together they appear at
    ``tree``. ``upper`` and ``work`` (the overlay's own) lie side by side in one folder of ours. Without ``work`` there
    is no overlay: ``upper`` is a whole copy, and is shown in the tree's place. All are real paths.
    """

    tree: str
    upper: str
    work: str = ""
    below: tuple[str, ...] = ()

    def places(self) -> tuple[str, ...]:
        """Return every path of it."""
        return (self.tree, self.upper, *([self.work] if self.work else []), *self.below)

    def room(self) -> str:
        """Return the folder of ours that is opened: the one that holds ``upper`` and ``work``, or the whole copy."""
        return self.upper.rpartition("/")[0] if self.work else self.upper

    def opened_paths(self) -> tuple[str, ...]:
        """Return the paths that are opened to show it."""
        return (self.room(), *self.below)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a real path led to when it was decided on: the device and the inode of a file or folder."""

    path: str
    dev: int
    ino: int


@dataclass(frozen=True, slots=True)
class CellSpec:
    """The rights of one call, in the form the wall enforces.

    ``read_paths`` (files or trees) appear read-only at the same absolute path, ``write_paths`` (private staging
    folders) read-write; both are real paths, a link in one is refused. ``hidden_paths`` below a read path are masked
    (empty inside); nothing else of the user's files exists inside. ``hosts`` are the scopes that it may connect to,
    through the daemon, without ``denied_hosts`` among them; ``changes_hosts`` lets it use methods that change something
    there. ``layers`` are the trees that it works in, at L3 alone. Without ``runs_programs`` it can start no program
    where there is Landlock (L3, L2), with it those of the system and of the trees that it works in; with ``relays``
    they reach ``hosts`` through a relay on the cell's own loopback, at L3 alone. ``program_paths`` are shown like read
    paths, and with ``runs_programs`` their programs can be started, at L3 alone. ``held`` says what paths led to when
    they were decided on: where one leads to something else by then, the call does not begin. With ``asks`` it may ask
    the daemon for further calls. ``secrets`` are those that the daemon may put into what it asks of a host. With
    ``in_background`` it gets the processor and the disk that nobody else wants.
    """

    read_paths: tuple[str, ...] = ()
    write_paths: tuple[str, ...] = ()
    hidden_paths: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    minimum: Level = Level.L2
    hosts: tuple[str, ...] = ()
    changes_hosts: bool = False
    layers: tuple[Layer, ...] = ()
    runs_programs: bool = True
    held: tuple[Identity, ...] = ()
    asks: bool = False
    relays: bool = False
    denied_hosts: tuple[str, ...] = ()
    program_paths: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    in_background: bool = False

    def opened_paths(self) -> tuple[str, ...]:
        """Return every path that is opened to show it: what may be held."""
        layered = (path for layer in self.layers for path in layer.opened_paths())
        plain = (*self.read_paths, *self.program_paths, *self.write_paths)
        return tuple(dict.fromkeys((*plain, *layered)))


class ConnectionEnd(StrEnum):
    """What became of an attempt to connect."""

    CONNECTED = "connected"
    REFUSED = "refused"  # the rights of the call, or the address, did not allow it
    FAILED = "failed"  # nobody answered, or not as they should


@dataclass(frozen=True, slots=True)
class Connection:
    """One connection that a call had, or wanted. Never what was asked or answered.

    ``address`` is where it went, empty when it went nowhere; the bytes are those of HTTP, without TLS; ``code`` says
    why it ended otherwise than well.
    """

    host: str
    port: int
    end: ConnectionEnd
    address: str = ""
    up_bytes: int = 0
    down_bytes: int = 0
    wall_s: float = 0.0
    code: str = ""


class CellStatus(StrEnum):
    """How a call ended."""

    RETURNED = "returned"
    CRASHED = "crashed"  # died by itself: signal or exit code
    OUT_OF_TIME = "out_of_time"  # wall or cpu limit
    OUT_OF_MEMORY = "out_of_memory"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """What came back from a cell. ``reply`` is set exactly when status is RETURNED.

    ``peak_bytes`` is the most memory that it needed at once, ``reserved_bytes`` what it had been given by its end;
    ``starved`` tells that the machine had no more to give. ``refused_processes`` counts those that its limit stopped.
    """

    status: CellStatus
    level: Level
    reply: bytes | None = None
    exit_code: int | None = None
    signal: int | None = None
    stderr_tail: str = ""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_bytes: int = 0
    reserved_bytes: int = 0
    starved: bool = False
    refused_processes: int = 0
    connections: int = 0
    up_bytes: int = 0
    down_bytes: int = 0


class ChangeKind(StrEnum):
    """What happened to a path, as a person would say it."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Change:
    """One sealed change. ``path`` is where the thing is (or was, for DELETED); ``source`` where a MOVED came from.

    ``digest`` is the SHA-256 of the new content (None for folders, moves and deletions), ``size_bytes`` its length. Of
    a folder that goes, comes or moves as a whole, ``files`` and ``size_bytes`` count what is in it. ``note`` is what
    the tool wants said before a person agrees.
    """

    kind: ChangeKind
    path: str
    source: str | None = None
    folder: bool = False
    digest: str | None = None
    size_bytes: int = 0
    appends: bool = False
    files: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What a plan wants to change, sealed: ``seal`` is the SHA-256 a person approves."""

    seal: str
    run: str
    changes: tuple[Change, ...]
