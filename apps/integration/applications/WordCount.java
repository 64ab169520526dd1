import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Counts the words of a text, on executors. */
public final class WordCount {
  public static void main(String[] args) throws Exception {
    JavaSparkContext context = new JavaSparkContext(new SparkConf());
    List<String> lines = Files.readAllLines(Path.of(args[0]));
    Map<String, Integer> counts =
        context
            .parallelize(lines, 4)
            .flatMap(line -> Arrays.asList(line.trim().split("\\s+")).iterator())
            .filter(word -> !word.isEmpty())
            .mapToPair(word -> new Tuple2<>(word.toLowerCase(), 1))
            .reduceByKey(Integer::sum)
            .collectAsMap();
    new TreeMap<>(counts).forEach((word, count) -> System.out.println("COUNT " + word + " " + count));
    context.stop();
  }
}
