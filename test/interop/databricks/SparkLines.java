// Spark SQL in one process. Reads {"sql"} or {"view", "schema", "values"} a line; answers {"columns", "rows"}, {} or {"error"} each by a line.
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

public class SparkLines {
  // A warehouse computes in the ANSI mode and in the zone of its session; all else makes small statements fast.
  private static final Map<String, String> SETTINGS = Map.ofEntries(
      Map.entry("spark.sql.ansi.enabled", "true"),
      Map.entry("spark.sql.session.timeZone", "UTC"),
      Map.entry("spark.sql.datetime.java8API.enabled", "true"),
      Map.entry("spark.sql.catalogImplementation", "in-memory"),
      Map.entry("spark.sql.shuffle.partitions", "1"),
      Map.entry("spark.sql.adaptive.enabled", "false"),
      // Each execution would write its plan down for a page that nobody opens.
      Map.entry("spark.sql.ui.explainMode", "simple"),
      Map.entry("spark.sql.maxPlanStringLength", "100"),
      Map.entry("spark.sql.codegen.wholeStage", "false"),
      Map.entry("spark.sql.codegen.factoryMode", "NO_CODEGEN"),
      Map.entry("spark.ui.enabled", "false"),
      Map.entry("spark.driver.host", "127.0.0.1"),
      Map.entry("spark.driver.bindAddress", "127.0.0.1"));

  public static void main(String[] args) throws Exception {
    var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    Configurator.setRootLevel(Level.OFF);
    var builder = SparkSession.builder().master("local[1]").appName("grainline");
    SETTINGS.forEach(builder::config);
    var spark = builder.getOrCreate();
    Configurator.setRootLevel(Level.OFF);
    // Else each step of a plan looks for its caller.
    for (var form : List.of("callSite.short", "callSite.long")) spark.sparkContext().setLocalProperty(form, "a line");
    var json = new ObjectMapper();
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null;) out.println(json.writeValueAsString(reply(spark, json.readValue(line, Map.class))));
    spark.stop();
  }

  private static Map<String, ?> reply(SparkSession spark, Map<?, ?> request) {
    try {
      return request.containsKey("view") ? load(spark, request) : answer(spark.sql((String) request.get("sql")));
    } catch (Throwable failed) {
      return Map.of("error", String.valueOf(failed.getMessage()));
    }
  }

  // The rows are computed once: a view of a list of expressions would compute them for every question. What is known to be one partition needs no exchange.
  private static Map<String, ?> load(SparkSession spark, Map<?, ?> request) {
    var schema = StructType.fromDDL((String) request.get("schema"));
    var values = (String) request.get("values");
    List<Row> rows = values == null ? List.of() : spark.sql(values).toDF(schema.fieldNames()).to(schema).collectAsList();
    spark.createDataFrame(rows, schema).coalesce(1).createOrReplaceTempView((String) request.get("view"));
    return Map.of();
  }

  private static Map<String, ?> answer(Dataset<Row> rows) {
    var columns = Arrays.stream(rows.schema().fields()).map(f -> Map.of("name", f.name(), "type", f.dataType().sql())).toList();
    return Map.of("columns", columns, "rows", rows.collectAsList().stream().map(SparkLines::cells).toList());
  }

  private static List<Object> cells(Row row) {
    var cells = new ArrayList<Object>();
    for (int i = 0; i < row.size(); i++) cells.add(cell(row.get(i)));
    return cells;
  }

  private static Object cell(Object value) {
    if (value == null || value instanceof Boolean || value instanceof Double || value instanceof Float) return value;
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
  }
}
