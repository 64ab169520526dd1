import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A name node and a data node in one process; the arguments are a folder and the port of WebHDFS. */
public class OneNodeHdfs {
  public static void main(String[] args) throws Exception {
    // Formatting and running in one process registers some metrics twice.
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = new HdfsConfiguration();
    File folder = new File(args[0]);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.name.dir", new File(folder, "name").toURI().toString());
    conf.set("dfs.datanode.data.dir", new File(folder, "data").toURI().toString());
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + args[1]);
    conf.set("dfs.namenode.http-bind-host", "127.0.0.1");
    conf.set("dfs.datanode.hostname", "127.0.0.1");
    conf.set("dfs.datanode.address", "127.0.0.1:0");
    conf.set("dfs.datanode.http.address", "127.0.0.1:0");
    conf.set("dfs.datanode.ipc.address", "127.0.0.1:0");
    conf.set("dfs.namenode.fs-limits.min-block-size", "1024");
    conf.set("dfs.permissions.enabled", "false");
    conf.set("dfs.replication", "1");
    conf.set("dfs.namenode.safemode.extension", "0");
    NameNode.format(conf);
    NameNode name = NameNode.createNameNode(new String[] {}, conf);
    conf.set("fs.defaultFS", "hdfs://" + name.getNameNodeAddressHostPortString());
    DataNode data = DataNode.createDataNode(new String[] {}, conf);
    name.join();
    data.shutdown();
  }
}
