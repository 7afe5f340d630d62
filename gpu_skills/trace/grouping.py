"""Which stores are made by one sweep: those that share what they read, or read what the other one stores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from gpu_skills.graph import Library
from gpu_skills.trace.dims import row_major
from gpu_skills.trace.fitting import Fit, Misfit, Target, fit, foldings
from gpu_skills.trace.terms import Load, Pick, Term, Terms, Var, parts_of
from gpu_skills.trace.values import Task, tensors_of

_MOST_READS, _MOST_STORES, _HEAVIEST, _LOOK_BACK = 16, 8, 4000, 24


@dataclass(eq=False, slots=True)
class Group:
    """Targets of one sweep, or a library step; ``values`` are those made in it, with what they are made for."""

    targets: list[Target] = field(default_factory=list)
    library: Library | None = None
    values: dict[int, set[str]] = field(default_factory=dict)

    writes: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)

    def settled(self) -> Group:
        """Return it with what it reads and writes as its targets, or its library step, say."""
        self.writes = set(self.library.writes) if self.library else {one.tensor for one in self.targets}
        self.reads = set(self.library.reads) if self.library else tensors_of(*(one.term for one in self.targets))
        return self


def grouped(terms: Terms, tasks: Sequence[Task], kept: Collection[str]) -> list[Group]:
    """Return the steps that do ``tasks``, without those that store what nobody reads; ``kept`` are the outputs."""
    groups: list[Group] = []
    for task in tasks:
        if task.library:
            groups.append(Group(library=task.library).settled())
        for target in task.targets:
            _placed(terms, groups, target, task)
    return _without_unread(groups, kept)


def _placed(terms: Terms, groups: list[Group], target: Target, task: Task) -> None:
    reads = tensors_of(target.term)
    for group in reversed(groups[-_LOOK_BACK:]):
        if not group.library and (reads | {target.tensor}) & (group.reads | group.writes):
            joined = _joined(terms, group, target)
            if joined is not None:
                group.targets.append(joined)
                group.settled()
                _made_for(group, task)
                return
        if group.writes & reads:
            break
    groups.append(Group([target]).settled())
    _made_for(groups[-1], task)


def _made_for(group: Group, task: Task) -> None:
    for index in task.inlined:
        group.values.setdefault(index, set()).update(task.writes)


def _joined(terms: Terms, group: Group, target: Target) -> Target | None:
    """Return ``target`` as part of a group, what it reads of it put in; None where they need two sweeps."""
    if len(group.targets) >= _MOST_STORES:
        return None
    for moved in _aligned(terms, group, target):
        found = _put_in(terms, group, moved)
        if found is not None and _fits(terms, [*group.targets, found]):
            return found
    return None


def _aligned(terms: Terms, group: Group, target: Target) -> list[Target]:
    """Return ``target`` over the variables of a group: as it is, or one after the other where they are as long."""
    if any(set(target.over) <= set(one.over) for one in group.targets):
        return [target]
    found, seen = [], set[tuple[Var, ...]]()
    for one in group.targets:
        same = [var.extent for var in one.over] == [var.extent for var in target.over]
        if same and one.over not in seen:
            seen.add(one.over)
            mapping = {old: row_major((new,)) for old, new in zip(target.over, one.over, strict=True)}
            term = terms.put(target.term, mapping)
            found.append(replace(target, at=target.at.put(mapping), over=one.over, term=term))
    return found


def _put_in(terms: Terms, group: Group, target: Target) -> Target | None:
    memo: dict[int, Term] = {}

    def go(term: Term) -> Term:
        if isinstance(term, Load):
            return _as_stored(terms, group, term)
        if not parts_of(term):
            return term
        if id(term) not in memo:
            memo[id(term)] = terms.with_parts(term, tuple(go(part) for part in parts_of(term)))
        return memo[id(term)]

    made = go(target.term)
    return None if tensors_of(made) & group.writes else replace(target, term=made)


def _as_stored(terms: Terms, group: Group, load: Load) -> Term:
    """Return what a group stores where ``load`` reads, over the variables of ``load``; or ``load``."""
    for one in group.targets:
        if one.tensor != load.tensor or one.at.offset != load.at.offset or len(one.over) != len(load.at.parts):
            continue
        steps = {(step, var.extent): var for var, step in load.at.parts}
        mapping = {var: steps.get((step, var.extent)) for var, step in one.at.parts}
        if len(steps) == len(mapping) == len(one.over) and None not in mapping.values():
            return terms.put(one.term, {old: row_major((new,)) for old, new in mapping.items() if new and new != old})
    return load


def _fits(terms: Terms, targets: Sequence[Target]) -> bool:
    found = [one.term for one in targets]
    folds = foldings(*found)
    products = [one for one in folds if one.product]
    if products and (len(folds) > 1 or any(not foldings(one) for one in found)):
        return False
    if len(tensors_of(*found)) > _MOST_READS or sum(one.weight for one in found) > _HEAVIEST:
        return False
    if len({frozenset(one.over) for one in targets}) > 1 and not folds:
        return False
    try:
        fit(terms, targets)
    except Misfit:
        return False
    return True


def _without_unread(groups: list[Group], kept: Collection[str]) -> list[Group]:
    while True:
        read = set(kept).union(*(one.reads for one in groups))
        before = sum(len(one.targets) for one in groups)
        for one in groups:
            if any(each.tensor not in read for each in one.targets):
                one.targets = [each for each in one.targets if each.tensor in read]
                one.settled()
        groups = [one for one in groups if one.targets or (one.library and read & one.writes)]
        if sum(len(one.targets) for one in groups) == before:
            return groups


def fitted(terms: Terms, group: Group) -> Fit:
    """Return the sweep of a group, its axes in the order of its largest store."""
    return fit(terms, group.targets)


def index_sizes(groups: Sequence[Group]) -> dict[str, int]:
    """Return, for each tensor whose elements choose elements of another one, how many there are to choose from."""
    found: dict[str, int] = {}
    todo = [one.term for group in groups for one in group.targets]
    seen: set[int] = set()
    while todo:
        term = todo.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        todo += parts_of(term)
        if isinstance(term, Pick):
            for name in tensors_of(term.index):
                found[name] = min(found.get(name, term.size), term.size)
    return found
