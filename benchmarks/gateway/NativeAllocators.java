import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.k8s.SparkKubernetesClientFactory;
import org.apache.spark.deploy.k8s.SparkKubernetesClientFactory$;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.scheduler.cluster.k8s.ExecutorPodsAllocator;
import org.apache.spark.scheduler.cluster.k8s.ExecutorPodsPollingSnapshotSource;
import org.apache.spark.scheduler.cluster.k8s.ExecutorPodsSnapshotsStoreImpl;
import org.apache.spark.scheduler.cluster.k8s.ExecutorPodsWatchSnapshotSource;
import org.apache.spark.scheduler.cluster.k8s.KubernetesClusterSchedulerBackend;
import org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBuilder;
import org.apache.spark.scheduler.cluster.k8s.PodRunning;
import org.apache.spark.util.SystemClock;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.List;
import scala.collection.immutable.Map;
import scala.runtime.BoxedUnit;

/**
 * Spark's own executor allocators, one for each of many drivers, with the clients, stores, watches and polls that drivers have.
 * Prints "ready" when they watch. Starts to allocate when it reads a line. Prints "running" when each of them has seen all of
 * its executors run.
 */
public final class NativeAllocators {
  /**
   * A scheduler without registered executors. It is created without its constructor, because the constructor needs a Spark
   * context.
   */
  static final class NoScheduler extends KubernetesClusterSchedulerBackend {
    private NoScheduler() {
      super(null, null, null, null, null, null, null, null, null);
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<String> getExecutorIds() {
      return (List<String>) (List<?>) scala.collection.immutable.Nil$.MODULE$;
    }
  }

  public static void main(String[] args) throws Exception {
    String server = args[0];
    String authority = args[1];
    String token = args[2];
    String namespace = args[3];
    int applications = Integer.parseInt(args[4]);
    int executors = Integer.parseInt(args[5]);

    Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    KubernetesClusterSchedulerBackend backend =
        (NoScheduler) ((sun.misc.Unsafe) field.get(null)).allocateInstance(NoScheduler.class);
    CountDownLatch running = new CountDownLatch(applications);
    Runnable[] starts = new Runnable[applications];
    for (int index = 0; index < applications; index++) {
      starts[index] = driver(index, server, authority, token, namespace, executors, backend, running);
    }
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    input.readLine();
    for (Runnable start : starts) start.run();
    Thread waiting =
        new Thread(
            () -> {
              try {
                running.await();
                System.out.println("running");
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    waiting.start();
    // Until the process that has started this one closes its input, or ends.
    input.readLine();
    Runtime.getRuntime().halt(0);
  }

  private static Runnable driver(
      int index,
      String server,
      String authority,
      String token,
      String namespace,
      int executors,
      KubernetesClusterSchedulerBackend backend,
      CountDownLatch running) {
    String mounted = "spark.kubernetes.authenticate.driver.mounted";
    String application = "spark-native-" + index;
    SparkConf conf =
        new SparkConf(false)
            .set("spark.master", "k8s://" + server)
            .set("spark.app.name", "native-" + index)
            .set("spark.app.id", application)
            .set("spark.driver.host", "native-" + index)
            .set("spark.driver.port", "7078")
            .set("spark.driver.blockManager.port", "7079")
            .set("spark.executor.instances", String.valueOf(executors))
            .set("spark.kubernetes.namespace", namespace)
            .set("spark.kubernetes.container.image", "spark")
            .set("spark.kubernetes.driver.pod.name", "native-" + index)
            .set("spark.kubernetes.executor.podNamePrefix", "native-" + index)
            .set("spark.kubernetes.executor.scheduler.name", "nobody")
            .set(mounted + ".caCertFile", authority)
            .set(mounted + ".oauthTokenFile", token);
    KubernetesClient client =
        SparkKubernetesClientFactory$.MODULE$.createKubernetesClient(
            server,
            Option.apply(namespace),
            mounted,
            SparkKubernetesClientFactory.ClientType$.MODULE$.Driver(),
            conf,
            Option.<File>empty());
    SystemClock clock = new SystemClock();
    ExecutorPodsSnapshotsStoreImpl store =
        new ExecutorPodsSnapshotsStoreImpl(Executors.newScheduledThreadPool(2), clock, conf);
    SecurityManager security =
        new SecurityManager(conf, Option.<byte[]>empty(), SecurityManager.$lessinit$greater$default$3());
    ExecutorPodsAllocator allocator =
        new ExecutorPodsAllocator(conf, security, new KubernetesExecutorBuilder(), client, store, clock);
    boolean[] isDone = {false};
    store.addSubscriber(
        100,
        snapshots -> {
          if (!isDone[0] && !snapshots.isEmpty() && runningIn(snapshots.last().executorPods()) >= executors) {
            isDone[0] = true;
            running.countDown();
          }
          return BoxedUnit.UNIT;
        });
    new ExecutorPodsWatchSnapshotSource(store, client, conf).start(application);
    new ExecutorPodsPollingSnapshotSource(conf, client, store, Executors.newSingleThreadScheduledExecutor())
        .start(application);
    ResourceProfile profile = ResourceProfile$.MODULE$.getOrCreateDefaultProfile(conf);
    allocator.start(application, backend);
    return () -> allocator.setTotalExpectedExecutors(new Map.Map1<ResourceProfile, Object>(profile, executors));
  }

  private static int runningIn(Map<Object, ?> pods) {
    int count = 0;
    for (Iterator<?> states = pods.valuesIterator(); states.hasNext(); ) {
      if (states.next() instanceof PodRunning) count++;
    }
    return count;
  }
}
