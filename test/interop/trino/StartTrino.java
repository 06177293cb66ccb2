/** The main class of the server is in its archive of 800 MB alone. By reflection, for an older compiler cannot read the newer classes. */
public class StartTrino {
  public static void main(String[] args) throws Exception {
    Class<?> server = Class.forName("io.trino.server.Server");
    server.getMethod("start", String.class).invoke(server.getConstructor().newInstance(), args[0]);
  }
}
