"""A session as it stands in its file: which entries there are is read at once, what they say when it is asked for.

With an index beside the file only the lines behind those that the index knows are read. Without one every line is,
one after the other, and none is kept; an index is then written for the next time.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from pi_agent.base.jsonl import JsonlReader, collector_paused
from pi_agent.session.bodies import Bodies
from pi_agent.session.index import SessionIndex
from pi_agent.session.index_file import KnownPart, read_index, write_index
from pi_agent.session.tree import EntryTree
from pi_tui.frozen import frozen

# Less than this takes no time to read again.
INDEX_FROM_BYTES: Final = 256 * 1024


@frozen
class StoredSession:
    """The entries of a file, and what was found on the way to them.

    `read_to` is the byte behind the last line that could be read or has an end.
    """

    tree: EntryTree
    skipped: int
    ends_open: bool
    is_torn: bool
    read_to: int

    @classmethod
    def load(cls, path: Path, *, index_from_bytes: int = INDEX_FROM_BYTES) -> StoredSession:
        """Read which entries there are. The first object of the file is its header. Raises `OSError`.

        An index is written when `index_from_bytes` had to be read without one.
        """
        with path.open("rb") as file, collector_paused():
            known = read_index(path, file)
            index, skipped, start = SessionIndex(), 0, 0
            if known is not None:
                index, skipped, start = known.index, known.skipped, known.end
            file.seek(start)
            reader = JsonlReader(file)
            objects = iter(reader)
            lines_read = 0
            if known is None:
                next(objects, None)
            for each in objects:
                index.add(each.value, each.offset, each.size)
                lines_read += 1
            skipped += reader.skipped
            index.settle()
            read_to = file.tell() - reader.torn_bytes
            bodies = Bodies(os.dup(file.fileno()), index, lines_read)
            if reader.end - start >= index_from_bytes and not reader.ends_open:
                write_index(path, file, KnownPart(index, skipped, reader.end))
        tree = EntryTree.stored(index, bodies)
        is_torn = reader.torn_bytes > 0
        return cls(tree, skipped, reader.ends_open, is_torn, read_to)
