// Added to the stock operator's own package, for the comparison: its reconciler makes the objects of a Connect server.

package sparkconnect

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubeflow/spark-operator/v2/api/v1alpha1"
)

type connectRequest struct {
	Connect *v1alpha1.SparkConnect `json:"connect"`
}

type connectAnswer struct {
	// Why stock makes no pod. If it is set, the other fields are empty.
	Error     string            `json:"error,omitempty"`
	Pod       *corev1.Pod       `json:"pod,omitempty"`
	Service   *corev1.Service   `json:"service,omitempty"`
	ConfigMap *corev1.ConfigMap `json:"configMap,omitempty"`
}

// Connect answers with the objects that stock makes for a new SparkConnect.
func Connect(text json.RawMessage) (any, error) {
	request := connectRequest{}
	if err := json.Unmarshal(text, &request); err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	reconciler := &Reconciler{scheme: scheme}
	ctx := context.Background()
	connect := request.Connect

	configMap := &corev1.ConfigMap{}
	configMap.Name = GetConfigMapName(connect)
	configMap.Namespace = connect.Namespace
	if err := reconciler.mutateConfigMap(ctx, connect, configMap); err != nil {
		return connectAnswer{Error: err.Error()}, nil
	}
	pod := &corev1.Pod{}
	pod.Name = GetServerPodName(connect)
	pod.Namespace = connect.Namespace
	if err := reconciler.mutateServerPod(ctx, connect, pod); err != nil {
		return connectAnswer{Error: err.Error()}, nil
	}
	service := connect.Spec.Server.Service
	if service == nil {
		service = &corev1.Service{}
	}
	service.Name = GetServerServiceName(connect)
	service.Namespace = connect.Namespace
	if err := reconciler.mutateServerService(ctx, connect, service); err != nil {
		return connectAnswer{Error: err.Error()}, nil
	}
	return connectAnswer{Pod: pod, Service: service, ConfigMap: configMap}, nil
}
