import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Runs many spark-submit command lines in one JVM, each as if it had its own JVM. A request is a length and that many bytes
 * of texts, each ended by a NUL: the number of arguments, the arguments, then NAME=VALUE for each environment variable. The
 * answer is the exit code and the output on stdout and stderr, each after its length.
 */
public final class WarmSubmit {
  private static final String SUBMIT = "org.apache.spark.deploy.SparkSubmit";
  private static final long LIMIT_MS = 120_000;
  private static final int STUCK = 124;
  private static final int BROKEN = 125;

  /** Thrown instead of ending the JVM. */
  private static final class Ended extends Error {
    final int code;

    Ended(int code) {
      super("exit " + code, null, false, false);
      this.code = code;
    }
  }

  /** A stream with a target that changes from one command line to the next. */
  private static final class Redirected extends OutputStream {
    volatile OutputStream target = OutputStream.nullOutputStream();

    @Override
    public void write(int octet) throws IOException {
      target.write(octet);
    }

    @Override
    public void write(byte[] octets, int from, int count) throws IOException {
      target.write(octets, from, count);
    }
  }

  private static final Redirected STDOUT = new Redirected();
  private static final Redirected STDERR = new Redirected();
  private static final PrintStream ERRORS = new PrintStream(STDERR, true, StandardCharsets.UTF_8);
  private static Properties atStart;
  private static volatile boolean mayEnd = false;

  public static void main(String[] none) throws Exception {
    DataInputStream requests = new DataInputStream(new BufferedInputStream(System.in));
    DataOutputStream answers = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
    atStart = (Properties) System.getProperties().clone();
    System.setOut(new PrintStream(STDOUT, true, StandardCharsets.UTF_8));
    System.setErr(ERRORS);
    forbidExit();
    while (true) {
      byte[] request;
      try {
        request = new byte[requests.readInt()];
        requests.readFully(request);
      } catch (EOFException end) {
        break;
      }
      if (answer(texts(request), answers) == STUCK) break;
    }
    mayEnd = true;
    Runtime.getRuntime().halt(0);
  }

  @SuppressWarnings("removal")
  private static void forbidExit() {
    System.setSecurityManager(
        new SecurityManager() {
          @Override
          public void checkExit(int code) {
            if (!mayEnd) throw new Ended(code);
          }

          @Override
          public void checkPermission(Permission any) {}

          @Override
          public void checkPermission(Permission any, Object context) {}
        });
  }

  private static List<String> texts(byte[] request) {
    List<String> found = new ArrayList<>();
    int start = 0;
    for (int at = 0; at < request.length; at++) {
      if (request[at] != 0) continue;
      found.add(new String(request, start, at - start, StandardCharsets.UTF_8));
      start = at + 1;
    }
    return found;
  }

  private static int answer(List<String> texts, DataOutputStream answers) throws Exception {
    int count = Integer.parseInt(texts.get(0));
    List<String> arguments = texts.subList(1, 1 + count);
    List<String> environment = texts.subList(1 + count, texts.size());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    STDERR.target = err;
    int[] code = {BROKEN};
    Thread thread = new Thread(null, () -> code[0] = submit(arguments, environment, out), "main");
    thread.start();
    thread.join(LIMIT_MS);
    if (thread.isAlive()) {
      code[0] = STUCK;
      for (StackTraceElement frame : thread.getStackTrace()) ERRORS.println("\tstuck at " + frame);
    }
    answers.writeInt(code[0]);
    for (ByteArrayOutputStream stream : List.of(out, err)) {
      answers.writeInt(stream.size());
      stream.writeTo(answers);
    }
    answers.flush();
    STDOUT.target = OutputStream.nullOutputStream();
    STDERR.target = OutputStream.nullOutputStream();
    return code[0];
  }

  /** The work of bin/spark-submit, starting with its launcher. */
  private static int submit(List<String> arguments, List<String> environment, ByteArrayOutputStream out) {
    try {
      setEnvironment(environment);
      System.setProperties((Properties) atStart.clone());
      ByteArrayOutputStream launched = new ByteArrayOutputStream();
      STDOUT.target = launched;
      List<String> all = new ArrayList<>(List.of(SUBMIT));
      all.addAll(arguments);
      int code = runMain("org.apache.spark.launcher.Main", all);
      STDOUT.target = out;
      if (code != 0) return code;
      return runLaunched(wordsOf(launched.toString(StandardCharsets.UTF_8)), environment);
    } catch (Throwable broken) {
      ERRORS.println("the warm JVM failed");
      broken.printStackTrace(ERRORS);
      return BROKEN;
    }
  }

  /** The command that the launcher prints after a separate line, as bin/spark-class reads it. */
  private static List<String> wordsOf(String launched) {
    String command = launched.substring(launched.indexOf("\0\n") + 2).replace("\r", "");
    return Arrays.asList(command.substring(0, Math.max(0, command.lastIndexOf('\0'))).split("\0", -1));
  }

  /** Runs SparkSubmit as a new JVM with these options would. */
  private static int runLaunched(List<String> command, List<String> environment) throws Exception {
    Iterator<String> words = command.iterator();
    String word = words.next();
    List<String> variables = new ArrayList<>(environment);
    if (word.equals("env")) {
      for (word = words.next(); word.contains("="); word = words.next()) variables.add(word);
      setEnvironment(variables);
    }
    Properties properties = (Properties) atStart.clone();
    List<URL> folders = new ArrayList<>();
    while (words.hasNext() && !(word = words.next()).equals(SUBMIT)) {
      if (word.equals("-cp")) {
        for (String part : words.next().split(File.pathSeparator)) {
          File file = new File(part);
          if (!part.isEmpty() && file.isDirectory()) folders.add(file.toURI().toURL());
        }
      } else if (word.startsWith("-D")) {
        String[] pair = word.substring(2).split("=", 2);
        properties.setProperty(pair[0], pair.length == 1 ? "" : pair[1]);
      } else if (!isOptionOfJava(word)) {
        ERRORS.println("Unrecognized option: " + word);
        ERRORS.println("Error: Could not create the Java Virtual Machine.");
        return 1;
      }
    }
    System.setProperties(properties);
    forget();
    URL[] path = folders.toArray(new URL[0]);
    Thread.currentThread().setContextClassLoader(new URLClassLoader(path, WarmSubmit.class.getClassLoader()));
    List<String> arguments = new ArrayList<>();
    words.forEachRemaining(arguments::add);
    return runMain(SUBMIT, arguments);
  }

  private static boolean isOptionOfJava(String word) {
    return List.of("-X", "-ea", "--add", "--enable", "--sun-misc").stream().anyMatch(word::startsWith);
  }

  private static int runMain(String name, List<String> arguments) {
    try {
      Method main = Class.forName(name).getMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) arguments.toArray(new String[0]));
      return 0;
    } catch (Throwable thrown) {
      Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
      for (Throwable one = cause; one != null; one = one.getCause()) {
        if (one instanceof Ended) return ((Ended) one).code;
      }
      ERRORS.print("Exception in thread \"main\" ");
      cause.printStackTrace(ERRORS);
      return 1;
    }
  }

  /** System.getenv() is a view of this map; what is missing in the list is removed. */
  @SuppressWarnings("unchecked")
  private static void setEnvironment(List<String> variables) throws Exception {
    Object view = member(Class.forName("java.lang.ProcessEnvironment"), null, "theUnmodifiableEnvironment");
    Map<String, String> environment = (Map<String, String>) member(view.getClass(), view, "m");
    environment.clear();
    for (String variable : variables) {
      int end = variable.indexOf('=');
      environment.put(variable.substring(0, end), variable.substring(end + 1));
    }
  }

  private static Object member(Class<?> type, Object owner, String name) throws Exception {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  /** Resets what Hadoop and Spark keep in static fields for one command line, so that the next one does not see it. */
  private static void forget() throws Exception {
    Class.forName("org.apache.hadoop.fs.FileSystem").getMethod("closeAll").invoke(null);
    Method reset = Class.forName("org.apache.hadoop.security.UserGroupInformation").getDeclaredMethod("reset");
    reset.setAccessible(true);
    reset.invoke(null);
    Class<?> module = Class.forName("org.apache.spark.deploy.SparkHadoopUtil$");
    for (Field field : module.getDeclaredFields()) {
      // This field records which lazy members are initialized.
      if (!field.getName().equals("bitmap$0")) continue;
      field.setAccessible(true);
      field.setByte(java.lang.reflect.Modifier.isStatic(field.getModifiers()) ? null : member(module, null, "MODULE$"), (byte) 0);
    }
  }

  /** The program of a command line in client mode: reports that it was run, and with which arguments. */
  public static final class ClientProbe {
    public static void main(String[] arguments) {
      System.out.println("client mode: " + String.join("\u0001", arguments));
      System.exit(77);
    }
  }
}
