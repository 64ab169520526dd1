import java.nio.file.{Files, Paths}
import org.apache.spark.sql.SparkSession

/** Counts the words of a text on the application's executors and prints the most frequent ones. */
object WordCount {
  def main(args: Array[String]): Unit = {
    val Array(path, most) = args
    val spark = SparkSession.builder().getOrCreate()
    val text = new String(Files.readAllBytes(Paths.get(path)), "UTF-8")
    val counts = spark.sparkContext
      .parallelize(text.split("\n").toSeq, 8)
      .flatMap(line => "[a-z]+".r.findAllIn(line.toLowerCase))
      .map(word => (word, 1))
      .reduceByKey(_ + _)
    for ((word, count) <- counts.takeOrdered(most.toInt)(Ordering.by { case (word, count) => (-count, word) }))
      println(f"$count%6d $word")
    spark.stop()
  }
}
