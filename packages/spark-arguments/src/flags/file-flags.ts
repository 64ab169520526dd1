import { conf, inSection, uris, type Flag } from "./flag.ts";

/** The files of the application. */
export const FILE_FLAGS: readonly Flag[] = inSection("files", [
  {
    name: "--jars",
    value: "JARS",
    effect: uris("spark.jars"),
    help: "jars for the class paths of driver and executors, comma separated",
  },
  {
    name: "--py-files",
    value: "FILES",
    effect: uris("spark.submit.pyFiles"),
    help: ".zip, .egg and .py files for the PYTHONPATH, comma separated",
  },
  {
    name: "--files",
    value: "FILES",
    effect: uris("spark.files"),
    help: "files for the working directory of each executor, comma separated",
  },
  {
    name: "--archives",
    value: "ARCHIVES",
    effect: uris("spark.archives"),
    help: "archives to unpack there, comma separated, each with #name",
  },
  {
    name: "--packages",
    value: "COORDINATES",
    effect: conf("spark.jars.packages"),
    help: "Maven coordinates group:artifact:version, comma separated",
  },
  {
    name: "--exclude-packages",
    value: "COORDINATES",
    effect: conf("spark.jars.excludes"),
    help: "group:artifact to leave out of what --packages brings",
  },
  {
    name: "--repositories",
    value: "URLS",
    effect: conf("spark.jars.repositories"),
    help: "further Maven repositories",
  },
]);
