import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
import words.Tokenizer;

/** Counts the words of a file in every executor's working directory, with a class from another jar. */
public final class StagedWords {
  public static void main(String[] args) throws Exception {
    JavaSparkContext context = new JavaSparkContext(new SparkConf());
    String file = args[0];
    System.out.println("DRIVER READ " + Files.readAllLines(Path.of(file)).size() + " LINES");
    // Each task reads the whole file and counts its share, so every executor needs the file.
    List<Integer> shares = new ArrayList<>(Arrays.asList(0, 1, 2, 3));
    new TreeMap<>(
            context
                .parallelize(shares, shares.size())
                .flatMap(
                    share -> {
                      List<String> lines = Files.readAllLines(Path.of(file));
                      List<String> mine = new ArrayList<>();
                      for (int i = share; i < lines.size(); i += 4) Tokenizer.tokens(lines.get(i)).forEachRemaining(mine::add);
                      return mine.iterator();
                    })
                .mapToPair(word -> new Tuple2<>(word, 1))
                .reduceByKey(Integer::sum)
                .collectAsMap())
        .forEach((word, count) -> System.out.println("COUNT " + word + " " + count));
    context.stop();
  }
}
