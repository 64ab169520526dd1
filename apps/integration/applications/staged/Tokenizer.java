package words;

import java.util.Arrays;
import java.util.Iterator;

/** The class in the application's dependency jar. */
public final class Tokenizer {
  private Tokenizer() {}

  public static Iterator<String> tokens(String line) {
    return Arrays.stream(line.trim().toLowerCase().split("\\s+")).filter(word -> !word.isEmpty()).iterator();
  }
}
