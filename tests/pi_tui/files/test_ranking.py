"""Which paths come first, and how much is looked at for a key."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pi_tui.files.ranking import FileRanking


def _best(paths: list[str], query: str) -> list[str]:
    return list(FileRanking(paths).best(query))


def test_names_that_fit_better_come_first_then_short_ways() -> None:
    paths = ["a/b/main.py", "x/domain/", "src/main/", "main", "remain.txt", "maintain.py", "main.c"]
    assert _best(paths, "main") == [
        "src/main/",
        "main",
        "main.c",
        "maintain.py",
        "a/b/main.py",
        "x/domain/",
        "remain.txt",
    ]


def test_a_slash_looks_in_whole_paths() -> None:
    paths = ["src/pkg/main.py", "src/pkg/", "pkg.py", "main.py"]
    assert _best(paths, "pkg/m") == ["src/pkg/main.py"]
    assert _best(paths, "pkg/") == ["src/pkg/", "src/pkg/main.py"]
    assert _best(paths, "pkg") == ["src/pkg/", "pkg.py"]


def test_case_and_the_way_accents_are_written_do_not_matter() -> None:
    assert _best(["ÉTÉ.md", "e\u0301te\u0301.txt"], "été") == ["ÉTÉ.md", "e\u0301te\u0301.txt"]
    assert _best(["README"], "ReAd") == ["README"]


def test_more_letters_look_only_at_what_was_left() -> None:
    paths = [f"dir{number}/file{number}.py" for number in range(10_000)] + ["needle.py"]
    ranking = FileRanking(paths)
    costs = []
    for query in ("n", "ne", "nee", "nee", "ne", "fil"):
        before = ranking.examined
        list(ranking.best(query))
        costs.append(ranking.examined - before)
    assert costs == [10_001, 1, 1, 0, 0, 10_001]


def test_a_list_that_grows_is_looked_at_once() -> None:
    paths = ["b/aa.py"]
    ranking = FileRanking(paths)
    assert list(ranking.best("a")) == ["b/aa.py"]
    assert list(ranking.best("aa")) == ["b/aa.py"]
    paths += ["aa", "ab", "c"]
    assert list(ranking.best("aa")) == ["aa", "b/aa.py"]
    assert ranking.examined == 4 + 3
    assert list(ranking.best("a")) == ["aa", "ab", "b/aa.py"]
    assert ranking.examined == 4 + 3


@given(
    st.lists(st.text("ab/", min_size=1, max_size=6), max_size=30),
    st.lists(st.text("abB/", max_size=3), max_size=8),
    st.integers(0, 30),
)
def test_narrowing_finds_what_a_new_search_finds(
    paths: list[str], queries: list[str], later: int
) -> None:
    known = paths[:later]
    ranking = FileRanking(known)
    for query in queries:
        assert list(ranking.best(query)) == _best(known, query)
        known += paths[len(known) : len(known) + 3]
