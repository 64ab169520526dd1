import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads templates as Spark does (KubernetesUtils.loadPodFromTemplate). Each template is the first member of a list in a JSON
 * list. Writes each inner list with the result: the pod, or null if the template is refused.
 */
public class ReadTemplates {
  public static void main(String[] files) throws Exception {
    ObjectMapper json = new ObjectMapper();
    KubernetesSerialization serialization = new KubernetesSerialization();
    ArrayNode recorded = json.createArrayNode();
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      for (var row : json.readTree(Files.readString(Path.of(files[0])))) {
        String template = row.get(0).asText();
        ArrayNode both = json.createArrayNode().add(template);
        try {
          Pod pod = client.pods().load(new ByteArrayInputStream(template.getBytes(StandardCharsets.UTF_8))).item();
          // Each of Spark's steps builds the pod again.
          Pod built = new PodBuilder(pod).editOrNewMetadata().endMetadata().editOrNewSpec().endSpec().build();
          both.add(json.readTree(serialization.asJson(built)));
        } catch (RuntimeException | StackOverflowError refused) {
          both.addNull();
        }
        recorded.add(both);
      }
    }
    StringBuilder text = new StringBuilder("[\n");
    for (int i = 0; i < recorded.size(); i++) text.append(recorded.get(i)).append(i + 1 < recorded.size() ? ",\n" : "\n");
    Files.writeString(Path.of(files[1]), text.append("]\n").toString());
  }
}
