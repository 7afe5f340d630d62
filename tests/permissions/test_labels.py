"""The lattice laws, with hypothesis."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from permissions.labels import KERNEL_SAID, USER_SAID, Integrity, Label, integrity_in, join, may_read

READERS = st.none() | st.frozensets(st.sampled_from(["a", "b", "c"]))
LABELS = st.builds(Label, st.sampled_from(list(Integrity)), READERS)


@given(LABELS, LABELS, LABELS)
def test_join_is_associative_commutative_and_idempotent(a: Label, b: Label, c: Label) -> None:
    assert join([a, join([b, c])]) == join([join([a, b]), c])
    assert join([a, b]) == join([b, a])
    assert join([a, a]) == a


@given(LABELS, LABELS, st.sampled_from(["a", "b", "c"]))
def test_a_join_never_widens(a: Label, b: Label, reader: str) -> None:
    joined = join([a, b])
    assert joined.integrity <= min(a.integrity, b.integrity)
    assert may_read(joined, reader) == (may_read(a, reader) and may_read(b, reader))


@given(LABELS)
def test_labels_survive_json(label: Label) -> None:
    assert Label.from_json(label.to_json()) == label
    assert integrity_in(label.to_json()) is label.integrity


def test_absent_or_unknown_means_untrusted_and_private() -> None:
    for value in (None, {}, {"integrity": "root"}, {"integrity": 3, "readers": []}):
        assert Label.from_json(value) == Label(Integrity.UNTRUSTED, frozenset())
        assert integrity_in(value) is Integrity.UNTRUSTED
    assert join([]) == Label()
    assert join([USER_SAID, KERNEL_SAID]).integrity is Integrity.KERNEL
