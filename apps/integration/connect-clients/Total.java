import org.apache.spark.sql.connect.SparkSession;

/** Adds numbers with Spark's own client for the JVM, at the address in SPARK_REMOTE. */
public class Total {
  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().remote(System.getenv("SPARK_REMOTE")).getOrCreate();
    System.out.println("TOTAL " + spark.range(1000).selectExpr("sum(id)").head().getLong(0));
    spark.stop();
  }
}
