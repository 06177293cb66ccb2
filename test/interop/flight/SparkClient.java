import java.util.*;
import org.apache.spark.sql.*;

/** Spark, reading from a Grainline at the port given with the key that follows, over the JDBC driver of Arrow Flight SQL. */
public class SparkClient {
  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC").getOrCreate();
    DataFrameReader reader = spark.read().format("jdbc")
        .option("driver", "org.apache.arrow.driver.jdbc.ArrowFlightJdbcDriver")
        .option("url", "jdbc:arrow-flight-sql://127.0.0.1:" + args[0] + "?useEncryption=false&user=anybody&password=" + args[1]);
    check("a query", () -> same(reader.option("query", "SELECT \"Origin Airport\", \"Flight Count\" FROM flights").load().orderBy(functions.col("Flight Count").desc()).collectAsList().toString(),
        "[[Newark Liberty Intl,120835], [John F Kennedy Intl,111279], [La Guardia,104662]]"));
    spark.stop();
    System.exit(0);
  }

  interface Work { void run() throws Exception; }

  static void check(String name, Work work) {
    String outcome;
    try {
      work.run();
      outcome = "\"ok\":true";
    } catch (Throwable error) {
      outcome = "\"ok\":false,\"error\":\"" + (error + " " + error.getCause()).replace("\\", "\\\\").replace("\"", "'").replaceAll("\\s+", " ") + "\"";
    }
    System.out.println("{\"name\":\"Spark over JDBC: " + name + "\"," + outcome + "}");
  }

  static void same(Object given, Object expected) throws Exception {
    if (!Objects.equals(given, expected)) throw new Exception(given + " is not " + expected);
  }
}
