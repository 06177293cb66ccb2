// The parser of Apache Calcite, of which Dremio’s is made. Reads {"sql"} a line; answers {} or {"error"} each by a line.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

public class ParseLines {
  public static void main(String[] args) throws Exception {
    var config = SqlParser.config().withQuoting(Quoting.DOUBLE_QUOTE).withUnquotedCasing(Casing.UNCHANGED)
        .withConformance(SqlConformanceEnum.LENIENT).withIdentifierMaxLength(1024);
    var json = new ObjectMapper();
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null;) {
      var sql = (String) json.readValue(line, Map.class).get("sql");
      try {
        SqlParser.create(sql, config).parseQuery();
        System.out.println("{}");
      } catch (SqlParseException refused) {
        System.out.println(json.writeValueAsString(Map.of("error", String.valueOf(refused.getMessage()))));
      }
    }
  }
}
