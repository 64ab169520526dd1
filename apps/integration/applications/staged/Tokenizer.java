package words;

import java.util.Arrays;
import java.util.Iterator;

/** What the application's dependency jar brings. */
public final class Tokenizer {
  private Tokenizer() {}

  public static Iterator<String> tokens(String line) {
    return Arrays.stream(line.trim().toLowerCase().split("\\s+")).filter(word -> !word.isEmpty()).iterator();
  }
}
