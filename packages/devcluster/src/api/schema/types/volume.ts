/** Volumes of a pod, in the notation of `parse-schema.ts`. */
export const volumeTypes = `
package io.k8s.api.core.v1
Volume
  name!: string
  hostPath?: *HostPathVolumeSource
  emptyDir?: *EmptyDirVolumeSource
  gcePersistentDisk?: *GCEPersistentDiskVolumeSource
  awsElasticBlockStore?: *AWSElasticBlockStoreVolumeSource
  gitRepo?: *GitRepoVolumeSource
  secret?: *SecretVolumeSource
  nfs?: *NFSVolumeSource
  iscsi?: *ISCSIVolumeSource
  glusterfs?: *GlusterfsVolumeSource
  persistentVolumeClaim?: *PersistentVolumeClaimVolumeSource
  rbd?: *RBDVolumeSource
  flexVolume?: *FlexVolumeSource
  cinder?: *CinderVolumeSource
  cephfs?: *CephFSVolumeSource
  flocker?: *FlockerVolumeSource
  downwardAPI?: *DownwardAPIVolumeSource
  fc?: *FCVolumeSource
  azureFile?: *AzureFileVolumeSource
  configMap?: *ConfigMapVolumeSource
  vsphereVolume?: *VsphereVirtualDiskVolumeSource
  quobyte?: *QuobyteVolumeSource
  azureDisk?: *AzureDiskVolumeSource
  photonPersistentDisk?: *PhotonPersistentDiskVolumeSource
  projected?: *ProjectedVolumeSource
  portworxVolume?: *PortworxVolumeSource
  scaleIO?: *ScaleIOVolumeSource
  storageos?: *StorageOSVolumeSource
  csi?: *CSIVolumeSource
  ephemeral?: *EphemeralVolumeSource
  image?: *ImageVolumeSource
HostPathVolumeSource
  path!: string
  type?: *string = ""
EmptyDirVolumeSource
  medium?: string
  sizeLimit?: *Quantity
GCEPersistentDiskVolumeSource
  pdName!: string
  fsType?: string
  partition?: int32
  readOnly?: bool
AWSElasticBlockStoreVolumeSource
  volumeID!: string
  fsType?: string
  partition?: int32
  readOnly?: bool
GitRepoVolumeSource
  repository!: string
  revision?: string
  directory?: string
SecretVolumeSource
  secretName?: string
  items?: []KeyToPath @atomic
  defaultMode?: *int32 = 420
  optional?: *bool
KeyToPath
  key!: string
  path!: string
  mode?: *int32
NFSVolumeSource
  server!: string
  path!: string
  readOnly?: bool
ISCSIVolumeSource
  targetPortal!: string
  iqn!: string
  lun!: int32
  iscsiInterface?: string = "default"
  fsType?: string
  readOnly?: bool
  portals?: []string @atomic
  chapAuthDiscovery?: bool
  chapAuthSession?: bool
  secretRef?: *LocalObjectReference
  initiatorName?: *string
LocalObjectReference @atomic
  name?: string
GlusterfsVolumeSource
  endpoints!: string
  path!: string
  readOnly?: bool
PersistentVolumeClaimVolumeSource
  claimName!: string
  readOnly?: bool
RBDVolumeSource
  monitors!: []string @atomic
  image!: string
  fsType?: string
  pool?: string = "rbd"
  user?: string = "admin"
  keyring?: string = "/etc/ceph/keyring"
  secretRef?: *LocalObjectReference
  readOnly?: bool
FlexVolumeSource
  driver!: string
  fsType?: string
  secretRef?: *LocalObjectReference
  readOnly?: bool
  options?: {}string
CinderVolumeSource
  volumeID!: string
  fsType?: string
  readOnly?: bool
  secretRef?: *LocalObjectReference
CephFSVolumeSource
  monitors!: []string @atomic
  path?: string
  user?: string
  secretFile?: string
  secretRef?: *LocalObjectReference
  readOnly?: bool
FlockerVolumeSource
  datasetName?: string
  datasetUUID?: string
DownwardAPIVolumeSource
  items?: []DownwardAPIVolumeFile @atomic
  defaultMode?: *int32 = 420
DownwardAPIVolumeFile
  path!: string
  fieldRef?: *ObjectFieldSelector
  resourceFieldRef?: *ResourceFieldSelector
  mode?: *int32
ObjectFieldSelector @atomic
  apiVersion?: string = "v1"
  fieldPath!: string
ResourceFieldSelector @atomic
  containerName?: string
  resource!: string
  divisor?: Quantity
FCVolumeSource
  targetWWNs?: []string @atomic
  lun?: *int32
  fsType?: string
  readOnly?: bool
  wwids?: []string @atomic
AzureFileVolumeSource
  secretName!: string
  shareName!: string
  readOnly?: bool
ConfigMapVolumeSource
  name?: string
  items?: []KeyToPath @atomic
  defaultMode?: *int32 = 420
  optional?: *bool
VsphereVirtualDiskVolumeSource
  volumePath!: string
  fsType?: string
  storagePolicyName?: string
  storagePolicyID?: string
QuobyteVolumeSource
  registry!: string
  volume!: string
  readOnly?: bool
  user?: string
  group?: string
  tenant?: string
AzureDiskVolumeSource
  diskName!: string
  diskURI!: string
  cachingMode?: *string = "ReadWrite"
  fsType?: *string = "ext4"
  readOnly?: *bool = false
  kind?: *string = "Shared"
PhotonPersistentDiskVolumeSource
  pdID!: string
  fsType?: string
ProjectedVolumeSource
  sources: []VolumeProjection @atomic
  defaultMode?: *int32 = 420
VolumeProjection
  secret?: *SecretProjection
  downwardAPI?: *DownwardAPIProjection
  configMap?: *ConfigMapProjection
  serviceAccountToken?: *ServiceAccountTokenProjection
  clusterTrustBundle?: *ClusterTrustBundleProjection
  podCertificate?: *PodCertificateProjection
SecretProjection
  name?: string
  items?: []KeyToPath @atomic
  optional?: *bool
DownwardAPIProjection
  items?: []DownwardAPIVolumeFile @atomic
ConfigMapProjection
  name?: string
  items?: []KeyToPath @atomic
  optional?: *bool
ServiceAccountTokenProjection
  audience?: string
  expirationSeconds?: *int64 = 3600
  path!: string
ClusterTrustBundleProjection
  name?: *string
  signerName?: *string
  labelSelector?: *LabelSelector
  optional?: *bool
  path!: string
PodCertificateProjection
  signerName?!: string
  keyType?!: string
  maxExpirationSeconds?: *int32
  credentialBundlePath?: string
  keyPath?: string
  certificateChainPath?: string
PortworxVolumeSource
  volumeID!: string
  fsType?: string
  readOnly?: bool
ScaleIOVolumeSource
  gateway!: string
  system!: string
  secretRef!: *LocalObjectReference
  sslEnabled?: bool
  protectionDomain?: string
  storagePool?: string
  storageMode?: string = "ThinProvisioned"
  volumeName?: string
  fsType?: string = "xfs"
  readOnly?: bool
StorageOSVolumeSource
  volumeName?: string
  volumeNamespace?: string
  fsType?: string
  readOnly?: bool
  secretRef?: *LocalObjectReference
CSIVolumeSource
  driver!: string
  readOnly?: *bool
  fsType?: *string
  volumeAttributes?: {}string
  nodePublishSecretRef?: *LocalObjectReference
EphemeralVolumeSource
  volumeClaimTemplate?: *PersistentVolumeClaimTemplate
PersistentVolumeClaimTemplate
  metadata?: ObjectMeta
  spec!: PersistentVolumeClaimSpec
PersistentVolumeClaimSpec
  accessModes?: []string @atomic
  selector?: *LabelSelector
  resources?: VolumeResourceRequirements
  volumeName?: string
  storageClassName?: *string
  volumeMode?: *string = "Filesystem"
  dataSource?: *TypedLocalObjectReference
  dataSourceRef?: *TypedObjectReference
  volumeAttributesClassName?: *string
VolumeResourceRequirements
  limits?: {}Quantity
  requests?: {}Quantity
TypedLocalObjectReference @atomic
  apiGroup: *string
  kind!: string
  name!: string
TypedObjectReference
  apiGroup: *string
  kind!: string
  name!: string
  namespace?: *string
ImageVolumeSource
  reference?: string
  pullPolicy?: string
`;
