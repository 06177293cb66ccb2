import java.sql.*;
import java.util.*;

/** pgJDBC against a Grainline that listens on the port given; prints one line of JSON per check. */
public class JdbcClient {
  interface Work { void run(Connection connection) throws Exception; }
  static int port;
  static final String TOP = "SELECT \"Airline\", \"Flight Count\" FROM flights ORDER BY 2 DESC, 1 LIMIT 3";

  public static void main(String[] args) {
    port = Integer.parseInt(args[0]);
    check("pgJDBC: metadata", JdbcClient::metadata);
    check("pgJDBC: statements, parameters, the switch to prepared ones", JdbcClient::statements);
    check("pgJDBC: fetch size, time-out, maximum of rows", JdbcClient::cursors);
  }

  static void metadata(Connection connection) throws Exception {
    DatabaseMetaData about = connection.getMetaData();
    same(about.getDatabaseProductName(), "PostgreSQL");
    same(about.getDatabaseMajorVersion(), 18);
    same(column(about.getCatalogs(), "TABLE_CAT").contains("flights"), true);
    same(column(about.getSchemas(), "TABLE_SCHEM").contains("flights"), true);
    same(column(about.getTables(null, "flights", "%", new String[] {"TABLE"}), "TABLE_NAME"),
        List.of("flights", "flights__Hours", "flights__Planes", "flights__Weather"));
    same(column(about.getColumns(null, "flights", "flights", "Flight Count"), "TYPE_NAME"), List.of("int8"));
    same(column(about.getColumns(null, "flights", "flights", "Status"), "REMARKS"), List.of("dimension \u00b7 cancelled, late (more than 15 minutes) or on time."));
    for (ResultSet result : List.of(about.getTableTypes(), about.getTypeInfo(), about.getPrimaryKeys(null, "flights", "flights"),
        about.getIndexInfo(null, "flights", "flights", false, true), about.getImportedKeys(null, "flights", "flights"),
        about.getExportedKeys(null, "flights", "flights"), about.getProcedures(null, null, "%"), about.getFunctions(null, null, "pg_size%"),
        about.getTablePrivileges(null, "flights", "flights"), about.getColumnPrivileges(null, "flights", "flights", "%"),
        about.getBestRowIdentifier(null, "flights", "flights", 1, true), about.getUDTs(null, null, "%", null)))
      column(result, null);
    same(connection.isValid(5), true);
  }

  static void statements(Connection connection) throws Exception {
    try (PreparedStatement statement = connection.prepareStatement("SELECT \"Flight Count\" FROM flights WHERE \"Airline\" = ? AND \"Year Built\" > ?")) {
      // From the fifth time on the statement is kept by the server, and values travel in binary.
      for (int i = 0; i < 8; i++) {
        statement.setString(1, "JetBlue Airways");
        statement.setInt(2, 2003);
        try (ResultSet rows = statement.executeQuery()) {
          rows.next();
          same(rows.getLong(1), 43130L);
        }
      }
    }
    try (Statement statement = connection.createStatement()) {
      try {
        statement.executeQuery("SELECT \"Airlin\" FROM flights");
        throw new Exception("no error");
      } catch (SQLException error) {
        same(error.getSQLState(), "42703");
      }
      try (ResultSet rows = statement.executeQuery("SELECT \"Date\", \"Scheduled At\", \"Average Departure Delay\", \"Airline\" FROM flights LIMIT 10")) {
        same(rows.getMetaData().getColumnTypeName(2), "timestamptz");
        while (rows.next()) rows.getTimestamp(2).toInstant();
      }
      // Nothing is cut: every row comes, and there is nothing to warn of.
      same(column(statement.executeQuery("SELECT \"Tail Number\" FROM flights"), "Tail Number").size(), 4044);
      same(statement.getWarnings(), null);
      statement.execute("COMMIT");
      same(statement.getWarnings().getSQLState(), "25P01");
    }
  }

  static void cursors(Connection connection) throws Exception {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(500);
      int rows = 0;
      try (ResultSet result = statement.executeQuery("SELECT \"Tail Number\", \"Date\" FROM flights LIMIT 12345")) {
        while (result.next()) rows++;
      }
      same(rows, 12345);
      statement.setMaxRows(7);
      same(column(statement.executeQuery("SELECT \"Tail Number\" AS t FROM flights LIMIT 50"), "t").size(), 7);
      statement.setMaxRows(0);
    }
    connection.rollback();
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      connection.setReadOnly(false);
      statement.execute("SET statement_timeout = 20");
      try {
        column(statement.executeQuery("SELECT \"Tail Number\", \"Scheduled At\", \"Destination Airport\", \"Flight Count\" FROM flights ORDER BY 1, 2, 3 LIMIT 400000"), null);
        throw new Exception("no time-out");
      } catch (SQLException error) {
        same(error.getSQLState(), "57014");
      }
    }
    connection.rollback();
    same(connection.isValid(5), true);
  }

  static List<String> column(ResultSet result, String name) throws SQLException {
    List<String> values = new ArrayList<>();
    try (result) {
      while (result.next()) values.add(name == null ? "" : result.getString(name));
    }
    return values;
  }

  static void check(String name, Work work) {
    String outcome;
    try (Connection connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/flights?user=tester&sslmode=disable")) {
      work.run(connection);
      outcome = "\"ok\":true";
    } catch (Throwable error) {
      String place = Arrays.stream(error.getStackTrace()).filter(frame -> frame.getClassName().startsWith("JdbcClient") && !frame.getMethodName().equals("same")).findFirst().map(Object::toString).orElse("");
      outcome = "\"ok\":false,\"error\":\"" + (error + " " + place).replace("\\", "\\\\").replace("\"", "'").replaceAll("\\s+", " ") + "\"";
    }
    System.out.println("{\"name\":\"" + name + "\"," + outcome + "}");
  }

  static void same(Object given, Object expected) throws Exception {
    if (!Objects.equals(given, expected)) throw new Exception(given + " is not " + expected);
  }
}
