import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A name node and a data node with Kerberos in one process. The arguments are a folder, the ports of the RPC and of WebHDFS,
 * a realm, a keytab with the keys of hdfs/HOST and HTTP/HOST, that host, and further properties as name=value. Everyone may
 * make folders in /user.
 */
public class SecureHdfs {
  public static void main(String[] args) throws Exception {
    // Formatting and running in one process registers some metrics twice.
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = new HdfsConfiguration();
    File folder = new File(args[0]);
    String host = args[5];
    String hdfs = "hdfs/" + host + "@" + args[3];
    String web = "HTTP/" + host + "@" + args[3];
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.http.authentication.type", "kerberos");
    conf.set("hadoop.http.authentication.kerberos.principal", web);
    conf.set("hadoop.http.authentication.kerberos.keytab", args[4]);
    conf.set("fs.defaultFS", "hdfs://" + host + ":" + args[1]);
    conf.set("dfs.namenode.kerberos.principal", hdfs);
    conf.set("dfs.namenode.keytab.file", args[4]);
    conf.set("dfs.datanode.kerberos.principal", hdfs);
    conf.set("dfs.datanode.keytab.file", args[4]);
    conf.set("dfs.web.authentication.kerberos.principal", web);
    conf.set("dfs.web.authentication.kerberos.keytab", args[4]);
    conf.set("dfs.block.access.token.enable", "true");
    // A data node with ports that every user may open would be refused.
    conf.set("ignore.secure.ports.for.testing", "true");
    conf.set("dfs.namenode.name.dir", new File(folder, "name").toURI().toString());
    conf.set("dfs.datanode.data.dir", new File(folder, "data").toURI().toString());
    conf.set("dfs.namenode.http-address", host + ":" + args[2]);
    conf.set("dfs.namenode.https-address", host + ":" + args[2]);
    conf.set("dfs.datanode.hostname", host);
    conf.set("dfs.datanode.address", host + ":0");
    conf.set("dfs.datanode.http.address", host + ":0");
    conf.set("dfs.datanode.https.address", host + ":0");
    conf.set("dfs.datanode.ipc.address", host + ":0");
    conf.set("dfs.replication", "1");
    conf.set("dfs.namenode.safemode.extension", "0");
    for (int at = 6; at < args.length; at++) {
      String[] property = args[at].split("=", 2);
      conf.set(property[0], property[1]);
    }
    UserGroupInformation.setConfiguration(conf);
    NameNode.format(conf);
    NameNode name = NameNode.createNameNode(new String[] {}, conf);
    DataNode data = DataNode.createDataNode(new String[] {}, conf);
    FileSystem.get(conf).mkdirs(new Path("/user"));
    FileSystem.get(conf).setPermission(new Path("/user"), new FsPermission((short) 01777));
    name.join();
    data.shutdown();
  }
}
