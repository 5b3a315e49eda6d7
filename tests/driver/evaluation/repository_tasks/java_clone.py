"""A small Java repository: a class, what it needs, and tests of it and of other things."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

needs_java = pytest.mark.skipif(
    shutil.which("javac") is None
    or not any(Path("/usr/share/java").glob("junit-platform-console-*.jar")),
    reason="it needs a compiler of Java and JUnit",
)
MAIN = "src/main/java/lingua/"
TEST = "src/test/java/lingua/"
HEADS = f"{MAIN}counts/Heads.java"
HEADS_TEST = f"{TEST}counts/HeadsTest.java"
IMPORTS = """\
import static lingua.text.Words.first;

import java.util.Map;
import java.util.TreeMap;
import lingua.text.Keyed;
"""
CLASS = """\
/** First words, and how often each came. */
public class Heads extends Keyed {
    /** Words that no line has. */
    public static final int NONE = 0;
    private final Map<String, Integer> counts = new TreeMap<>();

    /**
     * Count the first words.
     *
     * @param lines texts
     */
    public Heads(String... lines) {
        for (String line : lines) {
            counts.merge(first(line), 1, Integer::sum);
        }
    }

    /** How often a line began with a word. */
    public int often(String word) {
        return counts.getOrDefault(key(word), NONE);
    }

    public String most() {
        return counts.keySet().stream().max((a, b) -> often(a) - often(b)).map(this::key).get();
    }

    public int size() {
        return counts.size();
    }

    static Heads of(Lines lines) {
        return new Heads(lines.all());
    }
}
"""
FILES = {
    HEADS: f"package lingua.counts;\n\n{IMPORTS}\n{CLASS}",
    f"{MAIN}counts/Lines.java": """\
package lingua.counts;

/** Lines. */
public interface Lines {
    String[] all();
}
""",
    f"{MAIN}counts/Kind.java": "package lingua.counts;\n\npublic enum Kind { ONE, TWO }\n",
    f"{MAIN}text/Keyed.java": """\
package lingua.text;

public abstract class Keyed {
    protected String key(String word) {
        return Words.first(word);
    }
}
""",
    f"{MAIN}text/Words.java": """\
package lingua.text;

public final class Words {
    public static String first(String text) {
        return text.split(" ")[0];
    }
}
""",
    HEADS_TEST: """\
package lingua.counts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HeadsTest {
    private final Heads heads = new Heads("a b", "a c", "d");

    @Test
    void often() {
        assertEquals(2, heads.often("a x"));
    }

    @Test
    void most() {
        assertEquals("a", heads.most());
    }

    @Test
    void ofLines() {
        assertEquals(1, Heads.of(() -> new String[] {"a"}).size());
    }
}
""",
    f"{TEST}text/WordsTest.java": """\
package lingua.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void first() {
        assertEquals("a", Words.first("a b"));
    }
}
""",
}


def write(folder: Path, **changed: str) -> Path:
    """Write the repository below a folder, with other texts of some files."""
    for path, text in {**FILES, **changed}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder
