import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Prints the classes, with their properties and types, that Spark's Kubernetes client reads pods and pod groups into. */
public class PodTypes {
  private static final Map<String, String> LEAVES = Map.of(
      "java.lang.String", "string", "java.lang.Boolean", "bool", "java.lang.Integer", "int32", "java.lang.Long", "int64",
      "io.fabric8.kubernetes.api.model.Quantity", "Quantity",
      "io.fabric8.kubernetes.api.model.IntOrString", "IntOrString",
      // A status is not requested: only the API server writes it.
      "io.fabric8.kubernetes.api.model.PodStatus", "any",
      "io.fabric8.volcano.api.model.scheduling.v1beta1.PodGroupStatus", "any");
  private static final Deque<JavaType> WAITING = new ArrayDeque<>();

  public static void main(String[] roots) throws Exception {
    Field field = KubernetesSerialization.class.getDeclaredField("mapper");
    field.setAccessible(true);
    ObjectMapper mapper = (ObjectMapper) field.get(new KubernetesSerialization());
    for (String root : roots) {
      try {
        WAITING.add(mapper.constructType(Class.forName(root)));
      } catch (ClassNotFoundException missing) {
        System.err.println("not in these jars: " + root);
      }
    }
    Map<String, Set<String>> types = new TreeMap<>();
    while (!WAITING.isEmpty()) {
      JavaType type = WAITING.pop();
      String name = type.getRawClass().getSimpleName();
      if (types.containsKey(name)) continue;
      Set<String> lines = new TreeSet<>();
      types.put(name, lines);
      BeanDescription description = mapper.getDeserializationConfig().introspect(type);
      for (BeanPropertyDefinition property : description.findProperties()) {
        if (property.getMutator() != null) lines.add("  " + property.getName() + ": " + nameOf(property.getPrimaryType()));
      }
    }
    types.forEach((name, lines) -> {
      System.out.println(name);
      lines.forEach(System.out::println);
    });
  }

  private static String nameOf(JavaType type) {
    if (type.isCollectionLikeType()) return "[]" + nameOf(type.getContentType());
    if (type.isMapLikeType()) return "{}" + nameOf(type.getContentType());
    String leaf = LEAVES.get(type.getRawClass().getName());
    if (leaf != null) return leaf;
    if (type.getRawClass().getName().startsWith("java.")) throw new IllegalStateException("no name for " + type);
    WAITING.add(type);
    return type.getRawClass().getSimpleName();
  }
}
