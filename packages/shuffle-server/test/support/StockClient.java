import java.io.File;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.DownloadFile;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.ExternalBlockStoreClient;
import org.apache.spark.network.shuffle.SimpleDownloadFile;
import org.apache.spark.network.shuffle.protocol.ExecutorShuffleInfo;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Spark's own client of a shuffle service. It does one command for each line of its input, and prints a line for each answer:
 *
 * <pre>
 * register DIRECTORY,…
 * fetch|stream|old BLOCK,…
 * remove BLOCK,…
 * dirs EXECUTOR,…
 * diagnose SHUFFLE MAP REDUCE CHECKSUM ALGORITHM
 * </pre>
 */
public final class StockClient {
  private static final String HOST = "127.0.0.1";
  private static final String EXECUTOR = "1";

  private final int port;
  private final Map<String, String> settings;
  private final ExternalBlockStoreClient client;
  private final ExternalBlockStoreClient oldClient;

  private StockClient(int port, String application, Map<String, String> settings, String secret) {
    this.port = port;
    this.settings = settings;
    client = make(settings, application, secret);
    Map<String, String> old = new HashMap<>(settings);
    old.put("spark.shuffle.useOldFetchProtocol", "true");
    oldClient = make(old, application, secret);
  }

  /** Arguments: port, application, secret or "-", and settings as KEY=VALUE. */
  public static void main(String[] args) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.shuffle.io.maxRetries", "0");
    for (int at = 3; at < args.length; at++) {
      String[] pair = args[at].split("=", 2);
      settings.put(pair[0], pair[1]);
    }
    String secret = args[2].equals("-") ? null : args[2];
    StockClient stock = new StockClient(Integer.parseInt(args[0]), args[1], settings, secret);
    String input = new String(System.in.readAllBytes());
    for (String line : input.split("\n")) {
      String[] words = line.split(" ");
      try {
        System.out.println("ANSWER " + stock.answer(words));
      } catch (Exception error) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        System.out.println("ANSWER failed: " + String.valueOf(cause.getMessage()).split("\n")[0]);
      }
    }
    System.exit(0);
  }

  private static ExternalBlockStoreClient make(Map<String, String> settings, String application, String secret) {
    TransportConf conf = new TransportConf("shuffle", new MapConfigProvider(settings));
    SecretKeyHolder holder =
        new SecretKeyHolder() {
          @Override
          public String getSaslUser(String appId) {
            return "sparkSaslUser";
          }

          @Override
          public String getSecretKey(String appId) {
            return secret;
          }
        };
    ExternalBlockStoreClient made = new ExternalBlockStoreClient(conf, holder, secret != null, 10_000);
    made.init(application);
    return made;
  }

  private String answer(String[] words) throws Exception {
    String[] list = words.length > 1 ? words[1].split(",") : new String[0];
    switch (words[0]) {
      case "register":
        client.registerWithShuffleServer(
            HOST, port, EXECUTOR, new ExecutorShuffleInfo(list, 64, "org.apache.spark.shuffle.sort.SortShuffleManager"));
        return "registered";
      case "fetch":
        return fetch(client, list, null);
      case "stream":
        return fetch(client, list, new Files(new TransportConf("shuffle", new MapConfigProvider(settings))));
      case "old":
        return fetch(oldClient, list, null);
      case "remove":
        return "removed " + client.removeBlocks(HOST, port, EXECUTOR, list).get();
      case "dirs": {
        CompletableFuture<Map<String, String[]>> found = new CompletableFuture<>();
        client.getHostLocalDirs(HOST, port, list, found);
        return String.join(",", found.get().get(EXECUTOR));
      }
      case "diagnose":
        return client
            .diagnoseCorruption(
                HOST,
                port,
                EXECUTOR,
                Integer.parseInt(words[1]),
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]),
                Long.parseLong(words[4]),
                words[5])
            .toString();
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  /** Length and digest of each block, in the order of the request. */
  private String fetch(ExternalBlockStoreClient by, String[] blocks, DownloadFileManager files) throws Exception {
    Map<String, String> found = new HashMap<>();
    CountDownLatch all = new CountDownLatch(blocks.length);
    BlockFetchingListener listener =
        new BlockFetchingListener() {
          @Override
          public void onBlockFetchSuccess(String blockId, ManagedBuffer data) {
            put(blockId, digest(data));
          }

          @Override
          public void onBlockFetchFailure(String blockId, Throwable error) {
            put(blockId, "failed: " + String.valueOf(error.getMessage()).split("\n")[0]);
          }

          private synchronized void put(String blockId, String text) {
            if (found.put(blockId, text) == null) all.countDown();
          }
        };
    by.fetchBlocks(HOST, port, EXECUTOR, blocks.clone(), listener, files);
    all.await();
    StringBuilder text = new StringBuilder();
    for (String block : blocks) text.append(block).append(' ').append(found.get(block)).append("; ");
    return text.toString();
  }

  private static String digest(ManagedBuffer data) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] bytes = data.createInputStream().readAllBytes();
      return bytes.length + " " + HexFormat.of().formatHex(digest.digest(bytes), 0, 4);
    } catch (Exception error) {
      return error.toString();
    }
  }

  private static final class Files implements DownloadFileManager {
    private final TransportConf conf;

    Files(TransportConf conf) {
      this.conf = conf;
    }

    @Override
    public DownloadFile createTempFile(TransportConf transportConf) {
      try {
        return new SimpleDownloadFile(File.createTempFile("stock-client", ".block"), conf);
      } catch (java.io.IOException error) {
        throw new java.io.UncheckedIOException(error);
      }
    }

    @Override
    public boolean registerTempFileToClean(DownloadFile file) {
      return false;
    }
  }
}
