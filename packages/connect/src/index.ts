export { parseProfiles, type ProfilesRead } from "./profiles/parse-profiles.ts";
export type { Access, ContainerEngine, Profile, Sharing, SparkEngine } from "./profiles/profile.ts";
export {
  KEY_LABEL as CONNECT_KEY_LABEL,
  PROFILE_LABEL as CONNECT_PROFILE_LABEL,
  USER_ANNOTATION as CONNECT_USER_ANNOTATION,
} from "./drivers/driver-record.ts";
