import fc from "fast-check";
import { expect, it } from "vitest";
import { hadoopConfiguration, parseHadoopXml } from "../../src/hadoop/hadoop-configuration.ts";

const read = (text: string, others: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(parseHadoopXml(text, (path) => others[path]));

it("reads properties as Hadoop writes and reads them", () => {
  const text = `<?xml version="1.0"?>
<?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
<configuration>
  <!-- <property><name>hadoop.security.authentication</name><value>kerberos</value></property> -->
  <property><name>a</name><value>1</value></property>
  <property>
    <final>true</final>
    <value>
      two
    </value>
    <name> b </name>
    <description>why <b>so</b></description>
  </property>
  <property><name>empty</name><value/></property>
  <property><name>unset</name></property>
  <property name="c" value="a &amp; b"/>
  <property><name>d</name><value><![CDATA[x < y && z]]> &lt;&#65;&#x42;&gt;</value></property>
</configuration>`;
  expect(read(text)).toStrictEqual({
    a: "1",
    b: "\n      two\n    ",
    empty: "",
    c: "a & b",
    d: "x < y && z <AB>",
  });
});

it("includes other files, and ends for those that include themselves", () => {
  const text = `<configuration xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="more.xml"><xi:fallback/></xi:include><property><name>a</name><value>mine</value></property></configuration>`;
  const more = `<configuration><property><name>a</name><value>x</value></property><property><name>b</name><value>y</value></property><xi:include href="more.xml"/></configuration>`;
  expect(read(text, { "more.xml": more })).toStrictEqual({ a: "mine", b: "y" });
  expect(read(text)).toStrictEqual({ a: "mine" });
});

it("resolves references, and leaves unknown ones and circles", () => {
  const conf = hadoopConfiguration(
    new Map([
      ["host", "nn"],
      ["fs.defaultFS", " hdfs://${host}:${port} "],
      ["port", "8020"],
      ["list", "a, b,,c "],
      ["circle", "${circle}x"],
      ["unknown", "${user.name}"],
    ]),
  );
  expect(conf.get("fs.defaultFS")).toBe("hdfs://nn:8020");
  expect(conf.list("list")).toStrictEqual(["a", "b", "c"]);
  expect(conf.list("none")).toStrictEqual([]);
  expect(conf.get("unknown")).toBe("${user.name}");
  expect(conf.get("circle")).toContain("${circle}");
});

it("reads any text", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "<property>",
      "</property>",
      "<name>a</name>",
      "<value>",
      "</value>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(parseHadoopXml(parts.join(""), () => undefined)).toBeInstanceOf(Map);
    }),
  );
});
