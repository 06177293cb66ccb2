import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.olingo.client.api.ODataClient;
import org.apache.olingo.client.api.communication.ODataClientErrorException;
import org.apache.olingo.client.api.communication.request.ODataBasicRequest;
import org.apache.olingo.client.api.domain.ClientEntity;
import org.apache.olingo.client.api.domain.ClientEntitySet;
import org.apache.olingo.client.api.domain.ClientProperty;
import org.apache.olingo.client.core.ODataClientFactory;
import org.apache.olingo.commons.api.edm.Edm;
import org.apache.olingo.commons.api.edm.EdmEntitySet;

/**
 * Reads a feed with Olingo, which checks each answer against the metadata. Arguments: the address of the feed, and the key if there is one.
 * Each line of its input is a request: `metadata`, `sets`, or the rest of an address. Each line of its output is an answer, its parts
 * separated by tabs: a row is `name=type:value`, and rows are separated by `|`.
 */
public class OlingoClient {
  private static final ODataClient CLIENT = ODataClientFactory.getClient();
  private static String key;

  public static void main(String[] arguments) throws Exception {
    String root = arguments[0];
    key = arguments.length > 1 ? arguments[1] : null;
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) System.out.println(answer(root, line));
  }

  private static String answer(String root, String line) {
    try {
      if (line.equals("metadata")) return metadata(root);
      if (line.equals("sets")) return String.join("\t", sets(root));
      return String.join("|", rows(URI.create(root + "/" + line)));
    } catch (ODataClientErrorException error) {
      return "refused " + error.getStatusLine().getStatusCode() + "\t" + error.getODataError().getCode() + "\t" + error.getODataError().getMessage();
    } catch (Exception error) {
      return "failed " + error;
    }
  }

  /** A key is sent as the password of HTTP Basic, as Excel does. */
  private static <R extends ODataBasicRequest<?>> R authorised(R request) {
    if (key == null) return request;
    byte[] pair = ("anybody:" + key).getBytes(StandardCharsets.UTF_8);
    request.addCustomHeader("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
    return request;
  }

  private static String metadata(String root) {
    Edm edm = authorised(CLIENT.getRetrieveRequestFactory().getMetadataRequest(root)).execute().getBody();
    List<String> shown = new ArrayList<>();
    for (EdmEntitySet set : edm.getEntityContainer().getEntitySets()) {
      List<String> properties = new ArrayList<>();
      for (String name : set.getEntityType().getPropertyNames())
        properties.add(name + ":" + set.getEntityType().getStructuralProperty(name).getType().getName());
      shown.add(set.getName() + "(" + String.join(",", set.getEntityType().getKeyPredicateNames()) + ")=" + String.join(",", properties));
    }
    return String.join("\t", shown);
  }

  private static List<String> sets(String root) {
    return new ArrayList<>(
        authorised(CLIENT.getRetrieveRequestFactory().getServiceDocumentRequest(root + "/")).execute().getBody().getEntitySetNames());
  }

  private static List<String> rows(URI first) {
    List<String> rows = new ArrayList<>();
    for (URI next = first; next != null; ) {
      ClientEntitySet page = authorised(CLIENT.getRetrieveRequestFactory().getEntitySetRequest(next)).execute().getBody();
      for (ClientEntity entity : page.getEntities()) rows.add(row(entity));
      next = page.getNext();
    }
    return rows;
  }

  private static String row(ClientEntity entity) {
    List<String> values = new ArrayList<>();
    for (ClientProperty property : entity.getProperties()) {
      String type = property.getValue().isPrimitive() ? property.getValue().asPrimitive().getTypeKind().name() : "?";
      values.add(property.getName() + "=" + type + ":" + property.getValue());
    }
    return String.join("\t", values);
  }
}
