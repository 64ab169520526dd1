import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientBootstrap;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.server.NoOpRpcHandler;
import org.apache.spark.network.shuffle.protocol.OpenBlocks;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Tries to take part in an application with Spark's own client. Reads lines `HOST PORT COUNT SECRET`, in which the secret may be
 * `-` for none, and prints `ADMITTED N` for each line: how many of the tries got in. The arguments are settings of Spark, `KEY=VALUE`.
 */
public class Foreign {
  private static final long WAIT_MS = 10_000;

  public static void main(String[] args) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.rpc.io.connectionTimeout", "10s");
    for (String arg : args) settings.put(arg.split("=", 2)[0], arg.split("=", 2)[1]);
    TransportConf conf = new TransportConf("rpc", new MapConfigProvider(settings));
    try (TransportContext context = new TransportContext(conf, new NoOpRpcHandler())) {
      for (String line : new String(System.in.readAllBytes()).strip().split("\n")) {
        String[] words = line.split(" ");
        System.out.println("ADMITTED " + admitted(context, conf, words));
      }
    }
    System.exit(0);
  }

  private static int admitted(TransportContext context, TransportConf conf, String[] words) {
    boolean hasSecret = !words[3].equals("-");
    List<TransportClientBootstrap> steps = List.of();
    if (hasSecret) steps = List.of(new AuthClientBootstrap(conf, "sparkSaslUser", holder(words[3])));
    int admitted = 0;
    // One factory for all tries: each has threads of its own, which end seconds after it is closed.
    try (TransportClientFactory factory = context.createClientFactory(steps)) {
      for (int i = 0; i < Integer.parseInt(words[2]); i++) {
        if (isIn(factory, words[0], Integer.parseInt(words[1]), hasSecret)) admitted++;
      }
    }
    return admitted;
  }

  /** Tries it with a connection of its own. */
  private static boolean isIn(TransportClientFactory factory, String host, int port, boolean hasSecret) {
    try (TransportClient client = factory.createUnmanagedClient(host, port)) {
      if (hasSecret) return true;
      // Without a handshake, the connection alone is nothing yet: a request has to be answered.
      String[] blocks = {"shuffle_0_0_0"};
      ByteBuffer request = new OpenBlocks("any", "1", blocks).toByteBuffer();
      client.sendRpcSync(request, WAIT_MS);
      return true;
    } catch (Exception refused) {
      return false;
    }
  }

  private static SecretKeyHolder holder(String secret) {
    return new SecretKeyHolder() {
      @Override
      public String getSaslUser(String appId) {
        return "sparkSaslUser";
      }

      @Override
      public String getSecretKey(String appId) {
        return secret;
      }
    };
  }
}
