import java.lang.reflect.*;
import java.sql.*;
import java.util.*;

/**
 * The JDBC driver of Arrow Flight SQL against a Grainline at the port given; a key may follow, and the files of an authority, a certificate and its
 * key. Prints one line of JSON per check. With `brief` in CHECKS it asks one question; with `unending` it ends answers that have no end of their own.
 */
public class JdbcClient {
  interface Work { void run(Connection connection) throws Exception; }
  static String port, key, where;
  static final String BY_AIRPORT = "SELECT \"Origin Airport\", \"Flight Count\" FROM flights ORDER BY 2 DESC";

  public static void main(String[] args) {
    port = args[0];
    key = args.length > 1 && !args[1].isEmpty() ? args[1] : null;
    if (args.length > 4) {
      String authority = "&tlsRootCerts=" + args[2];
      where = "localhost:" + port + "?useEncryption=true" + authority + "&clientCertificate=" + args[3] + "&clientKey=" + args[4];
      check("Arrow JDBC: nobody without a certificate", "", connection -> {
        try (Connection stranger = DriverManager.getConnection("jdbc:arrow-flight-sql://localhost:" + port + "?useEncryption=true" + authority + "&user=x&password=" + key)) {
          rows(stranger, BY_AIRPORT);
        } catch (SQLException expected) {
          return;
        }
        throw new Exception("was let in");
      });
    } else where = "127.0.0.1:" + port + "?useEncryption=false";
    if ("brief".equals(System.getenv("CHECKS"))) {
      check("Arrow JDBC: a query", "", connection -> same(rows(connection, BY_AIRPORT).size(), 3));
      return;
    }
    if ("unending".equals(System.getenv("CHECKS"))) {
      check("Arrow JDBC: cancellation", "", JdbcClient::cancel);
      check("Arrow JDBC: time-outs", "", JdbcClient::late);
      return;
    }
    check("Arrow JDBC: every getter of the metadata", "", JdbcClient::getters);
    check("Arrow JDBC: what a browser of databases asks", "", JdbcClient::browsing);
    check("Arrow JDBC: statements, parameters, types", "", JdbcClient::statements);
    check("Arrow JDBC: times as parameters", "", JdbcClient::times);
    check("Arrow JDBC: the model by the database property", "&database=flights", JdbcClient::model);
    check("Arrow JDBC: refusals", "", JdbcClient::refusals);
    if (key != null) check("Arrow JDBC: the key as a token", "&token=" + key, connection -> same(rows(connection, BY_AIRPORT).size(), 3), false);
  }

  static void getters(Connection connection) throws Exception {
    DatabaseMetaData about = connection.getMetaData();
    List<String> failed = new ArrayList<>();
    int asked = 0;
    for (Method method : DatabaseMetaData.class.getMethods()) {
      if (method.getParameterCount() > 0) continue;
      asked++;
      try {
        Object value = method.invoke(about);
        if (value instanceof ResultSet result) column(result, null);
      } catch (InvocationTargetException error) {
        failed.add(method.getName() + ": " + error.getCause());
      }
    }
    same(failed, List.of());
    if (asked < 140) throw new Exception("only " + asked + " getters");
    same(about.getDatabaseProductName(), "Grainline");
    same(about.isReadOnly(), true);
    same(about.supportsTransactions(), false);
    same(about.getIdentifierQuoteString(), "\"");
    same(about.getSearchStringEscape(), "\\");
    if (!about.getNumericFunctions().contains("ROUND")) throw new Exception(about.getNumericFunctions());
  }

  static void browsing(Connection connection) throws Exception {
    DatabaseMetaData about = connection.getMetaData();
    same(column(about.getCatalogs(), "TABLE_CAT"), List.of("flights"));
    same(column(about.getSchemas(), "TABLE_SCHEM"), List.of("flights"));
    same(column(about.getSchemas("flights", "fl%"), "TABLE_SCHEM"), List.of("flights"));
    same(column(about.getTableTypes(), "TABLE_TYPE"), List.of("TABLE"));
    same(column(about.getTables("flights", "flights", "%", new String[] {"TABLE", "VIEW"}), "TABLE_NAME"), List.of("flights", "flights__Hours", "flights__Planes", "flights__Weather"));
    for (String table : column(about.getTables(null, null, "flights%", null), "TABLE_NAME")) {
      List<String> columns = column(about.getColumns(null, null, table.replace("_", "\\_"), "%"), "COLUMN_NAME");
      if (columns.isEmpty()) throw new Exception(table + " has no columns");
    }
    same(column(about.getTables(null, null, "nothing%", null), "TABLE_NAME"), List.of());
    same(column(about.getTables("elsewhere", null, "%", null), "TABLE_NAME"), List.of());
    same(column(about.getColumns("flights", "flights", "flights", "Flight Count"), "TYPE_NAME"), List.of("int"));
    same(column(about.getColumns("flights", "flights", "flights", "Status"), "REMARKS"), List.of("dimension \u00b7 cancelled, late (more than 15 minutes) or on time."));
    List<String> all = column(about.getColumns(null, null, "%", "%"), "COLUMN_NAME");
    if (all.size() < 20 || !all.contains("Origin Airport")) throw new Exception(all.toString());
    for (ResultSet result : List.of(about.getPrimaryKeys("flights", "flights", "flights"), about.getImportedKeys("flights", "flights", "flights"),
        about.getExportedKeys("flights", "flights", "flights"), about.getCrossReference("flights", "flights", "flights", "flights", "flights", "flights"),
        about.getTypeInfo(), about.getProcedures(null, null, "%"), about.getFunctions(null, null, "%"), about.getIndexInfo(null, "flights", "flights", false, true)))
      column(result, null);
    same(connection.isValid(5), true);
  }

  static void statements(Connection connection) throws Exception {
    same(rows(connection, BY_AIRPORT), List.of(List.of("Newark Liberty Intl", 120835L), List.of("John F Kennedy Intl", 111279L), List.of("La Guardia", 104662L)));
    try (PreparedStatement statement = connection.prepareStatement("SELECT \"Flight Count\" FROM flights WHERE \"Airline\" = ? AND \"Year Built\" > ?")) {
      same(statement.getParameterMetaData().getParameterCount(), 2);
      same(statement.getMetaData().getColumnName(1), "Flight Count");
      Object first = null;
      for (int i = 0; i < 3; i++) {
        statement.setString(1, "JetBlue Airways");
        statement.setLong(2, 2003);
        List<List<Object>> found = rows(statement.executeQuery());
        if (first == null) first = found;
        same(found, first);
      }
      statement.setString(1, "nobody");
      statement.setLong(2, 0);
      same(rows(statement.executeQuery()).size() <= 1, true);
    }
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT 1.50 AS d, DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29 12:34:56.789' AS t, TRUE AS b, NULL AS n, 0.5::float8 AS f")) {
      ResultSetMetaData about = result.getMetaData();
      same(result.next(), true);
      same(result.getBigDecimal(1).stripTrailingZeros().toPlainString(), "1.5");
      same(about.getScale(1), result.getBigDecimal(1).scale());
      same(result.getDate(2).toString(), "2024-02-29");
      same(result.getTimestamp(3).toLocalDateTime().toString(), "2024-02-29T12:34:56.789");
      same(result.getBoolean(4), true);
      same(result.getObject(5), null);
      same(result.getDouble(6), 0.5);
    }
    int count = 0;
    try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery("SELECT \"Tail Number\", \"Scheduled At\", \"Flight Count\" FROM flights LIMIT 100000")) {
      while (result.next()) {
        result.getTimestamp(2);
        count++;
      }
    }
    same(count, 100000);
  }

  static void model(Connection connection) throws Exception {
    same(rows(connection, "SELECT \"Flight Count\""), List.of(List.of(336776L)));
  }

  static void cancel(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      ResultSet result = statement.executeQuery("SELECT \"Endless\".\"Id\" FROM numbers");
      result.next();
      statement.cancel();
      try {
        while (result.next());
        throw new Exception("not cancelled");
      } catch (SQLException expected) {
      }
    }
    same(rows(connection, "SELECT \"Count\" FROM numbers"), List.of(List.of(1L)));
  }

  static void times(Connection connection) throws Exception {
    String since = "SELECT \"Flight Count\" FROM flights WHERE \"Scheduled Local\" >= ?";
    try (PreparedStatement statement = connection.prepareStatement(since)) {
      statement.setTimestamp(1, java.sql.Timestamp.valueOf("2013-12-01 00:00:00"));
      same(rows(statement.executeQuery()), List.of(List.of(28135L)));
    }
    try (PreparedStatement statement = connection.prepareStatement("SELECT \"Flight Count\" FROM flights WHERE \"Date\" = ?")) {
      statement.setDate(1, java.sql.Date.valueOf("2013-06-01"));
      same(rows(statement.executeQuery()), List.of(List.of(754L)));
    }
  }

  static void late(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      statement.executeQuery("SELECT \"Endless\" FROM numbers").next();
      throw new Exception("no time-out");
    } catch (SQLException late) {
      if (!late.toString().contains("timed out")) throw late;
    }
    same(rows(connection, "SELECT \"Count\" FROM numbers"), List.of(List.of(1L)));
  }

  static void refusals(Connection connection) throws Exception {
    for (String[] refused : new String[][] {{"DELETE FROM flights", "WRITE_OPERATION_REJECTED"}, {"SELECT \"Nope\" FROM flights", "UNKNOWN_SELECT_ITEM"}}) {
      try (Statement statement = connection.createStatement()) {
        statement.executeQuery(refused[0]);
        throw new Exception(refused[0] + " was taken");
      } catch (SQLException error) {
        if (!error.toString().contains(refused[1]) && !String.valueOf(error.getCause()).contains(refused[1])) throw error;
      }
    }
    if (key == null) return;
    try (Connection wrong = DriverManager.getConnection("jdbc:arrow-flight-sql://127.0.0.1:" + port + "?useEncryption=false&user=x&password=wrong")) {
      throw new Exception("a wrong key was taken");
    } catch (SQLException error) {
      if (!error.toString().contains("not valid")) throw error;
    }
  }

  static List<List<Object>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return rows(statement.executeQuery(sql));
    }
  }

  static List<List<Object>> rows(ResultSet result) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (result) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) row.add(result.getObject(i));
        rows.add(row);
      }
    }
    return rows;
  }

  static List<String> column(ResultSet result, String name) throws SQLException {
    List<String> values = new ArrayList<>();
    try (result) {
      while (result.next()) values.add(name == null ? "" : result.getString(name));
    }
    return values;
  }

  static void check(String name, String properties, Work work) {
    check(name, properties, work, true);
  }

  static void check(String name, String properties, Work work, boolean login) {
    String outcome;
    String user = login && key != null ? "&user=anybody&password=" + key : "";
    try (Connection connection = DriverManager.getConnection("jdbc:arrow-flight-sql://" + where + user + properties)) {
      work.run(connection);
      outcome = "\"ok\":true";
    } catch (Throwable error) {
      String place = Arrays.stream(error.getStackTrace()).filter(frame -> frame.getClassName().startsWith("JdbcClient") && !frame.getMethodName().equals("same")).findFirst().map(Object::toString).orElse("");
      outcome = "\"ok\":false,\"error\":\"" + (error + " " + error.getCause() + " " + place).replace("\\", "\\\\").replace("\"", "'").replaceAll("\\s+", " ") + "\"";
    }
    System.out.println("{\"name\":\"" + name + "\"," + outcome + "}");
  }

  static void same(Object given, Object expected) throws Exception {
    if (!Objects.equals(given, expected)) throw new Exception(given + " is not " + expected);
  }
}
