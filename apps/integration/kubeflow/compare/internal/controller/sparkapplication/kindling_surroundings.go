// Added to the stock operator's own package, for the comparison: its reconciler runs against an in-memory cluster and creates
// the objects that an application needs besides its pods.

package sparkapplication

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	schedulingv1alpha1 "sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	"github.com/kubeflow/spark-operator/v2/internal/scheduler"
	"github.com/kubeflow/spark-operator/v2/internal/scheduler/kubescheduler"
	"github.com/kubeflow/spark-operator/v2/internal/scheduler/volcano"
	"github.com/kubeflow/spark-operator/v2/internal/scheduler/yunikorn"
	"github.com/kubeflow/spark-operator/v2/pkg/common"
	operatorscheme "github.com/kubeflow/spark-operator/v2/pkg/scheme"
	"github.com/kubeflow/spark-operator/v2/pkg/util"
)

const clusterIP = "10.96.0.7"

type surroundingsRequest struct {
	Application        *v1beta2.SparkApplication `json:"application"`
	SubmissionID       string                    `json:"submissionId"`
	SparkApplicationID string                    `json:"sparkApplicationId"`
	Settings           surroundingsSettings      `json:"settings"`
}

type surroundingsSettings struct {
	EnableService         bool                      `json:"enableService"`
	IngressClassName      string                    `json:"ingressClassName"`
	IngressURLFormat      string                    `json:"ingressUrlFormat"`
	IngressTLS            []networkingv1.IngressTLS `json:"ingressTls"`
	IngressAnnotations    map[string]string         `json:"ingressAnnotations"`
	EnableBatchScheduler  bool                      `json:"enableBatchScheduler"`
	KubeSchedulerNames    []string                  `json:"kubeSchedulerNames"`
	DefaultBatchScheduler string                    `json:"defaultBatchScheduler"`
}

type surroundingsAnswer struct {
	// The error of the submission. If it is set, the other fields are empty.
	Error string `json:"error,omitempty"`
	// The error of the first reconciliation after the submission.
	ReconcileError string                    `json:"reconcileError,omitempty"`
	Application    *v1beta2.SparkApplication `json:"application,omitempty"`
	Objects        []any                     `json:"objects"`
	DriverInfo     v1beta2.DriverInfo        `json:"driverInfo"`
}

// Surround lets stock submit an application and reconcile it once, and returns the objects that it created.
func Surround(text json.RawMessage) (any, error) {
	request := surroundingsRequest{}
	if err := json.Unmarshal(text, &request); err != nil {
		return nil, err
	}
	util.IngressCapabilities = util.Capabilities{"networking.k8s.io/v1": true}
	cluster := &volcanoCluster{}
	server := httptest.NewServer(cluster)
	defer server.Close()
	submitter := &keptSubmission{}
	stored, driver := submittedApplication(request)
	reconciler := surroundingReconciler(request.Settings, submitter, server.URL, stored, driver)
	ctx := context.Background()

	application := request.Application.DeepCopy()
	// Kindling knows the ID before the submission, and sets it in spark.ui.proxyBase too.
	application.Status.SparkApplicationID = request.SparkApplicationID
	reconciler.submitSparkApplication(ctx, application)
	if application.Status.AppState.State != v1beta2.ApplicationStateSubmitted {
		return surroundingsAnswer{Error: application.Status.AppState.ErrorMessage}, nil
	}

	answer := surroundingsAnswer{Application: submitter.application}
	key := client.ObjectKeyFromObject(stored)
	if _, err := reconciler.reconcileSubmittedSparkApplication(ctx, ctrl.Request{NamespacedName: key}); err != nil {
		answer.ReconcileError = err.Error()
	}
	looked := &v1beta2.SparkApplication{}
	if err := reconciler.client.Get(ctx, key, looked); err != nil {
		return nil, err
	}
	answer.DriverInfo = looked.Status.DriverInfo
	made, err := madeObjects(ctx, reconciler.client)
	answer.Objects = append(made, cluster.podGroups...)
	return answer, err
}

// submittedApplication returns the application as the API server has it after a submission, and its driver.
func submittedApplication(request surroundingsRequest) (*v1beta2.SparkApplication, *corev1.Pod) {
	application := request.Application.DeepCopy()
	application.Status.AppState.State = v1beta2.ApplicationStateSubmitted
	application.Status.SubmissionID = request.SubmissionID
	application.Status.DriverInfo.PodName = util.GetDriverPodName(application)
	driver := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:      application.Status.DriverInfo.PodName,
			Namespace: application.Namespace,
			Labels:    map[string]string{common.LabelSparkApplicationSelector: request.SparkApplicationID},
		},
		Status: corev1.PodStatus{Phase: corev1.PodPending},
	}
	return application, driver
}

// keptSubmission replaces stock's code that runs spark-submit: it only records the application.
type keptSubmission struct {
	application *v1beta2.SparkApplication
}

func (s *keptSubmission) Submit(_ context.Context, app *v1beta2.SparkApplication) error {
	s.application = app.DeepCopy()
	return nil
}

func surroundingReconciler(settings surroundingsSettings, submitter SparkApplicationSubmitter, server string, objects ...client.Object) *Reconciler {
	memory := fake.NewClientBuilder().
		WithScheme(operatorscheme.ControllerScheme).
		WithStatusSubresource(&v1beta2.SparkApplication{}).
		WithObjects(objects...).
		WithInterceptorFuncs(interceptor.Funcs{
			Create: func(ctx context.Context, c client.WithWatch, object client.Object, options ...client.CreateOption) error {
				if service, ok := object.(*corev1.Service); ok {
					service.Spec.ClusterIP = clusterIP
				}
				return c.Create(ctx, object, options...)
			},
		}).
		Build()
	reconciler := &Reconciler{
		manager:   &memoryManager{client: memory, config: &rest.Config{Host: server}},
		scheme:    operatorscheme.ControllerScheme,
		client:    memory,
		recorder:  &record.FakeRecorder{},
		submitter: submitter,
		options: Options{
			EnableUIService:              settings.EnableService,
			IngressClassName:             settings.IngressClassName,
			IngressURLFormat:             settings.IngressURLFormat,
			IngressTLS:                   settings.IngressTLS,
			IngressAnnotations:           settings.IngressAnnotations,
			DefaultBatchScheduler:        settings.DefaultBatchScheduler,
			KubeSchedulerNames:           settings.KubeSchedulerNames,
			DriverPodCreationGracePeriod: time.Second,
		},
	}
	if settings.EnableBatchScheduler {
		reconciler.registry = scheduler.GetRegistry()
		// Schedulers that an earlier request has registered are refused; that is harmless.
		_ = reconciler.registry.Register(common.VolcanoSchedulerName, volcano.Factory)
		_ = reconciler.registry.Register(yunikorn.SchedulerName, yunikorn.Factory)
		for _, name := range settings.KubeSchedulerNames {
			_ = reconciler.registry.Register(name, kubescheduler.Factory)
		}
	}
	return reconciler
}

// memoryManager implements only the methods of its manager that the reconciler calls.
type memoryManager struct {
	ctrl.Manager
	client client.Client
	config *rest.Config
}

func (m *memoryManager) GetClient() client.Client { return m.client }

func (m *memoryManager) GetConfig() *rest.Config { return m.config }

// volcanoCluster implements what stock asks the API server about Volcano: the CRD exists, and no group does yet.
type volcanoCluster struct {
	podGroups []any
}

func (c *volcanoCluster) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	writer.Header().Set("Content-Type", "application/json")
	isGroup := strings.Contains(request.URL.Path, "/podgroups") && !strings.Contains(request.URL.Path, "/customresourcedefinitions")
	switch {
	case !isGroup:
		_, _ = writer.Write([]byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"}`))
	case request.Method == http.MethodPost:
		var group map[string]any
		if err := json.NewDecoder(request.Body).Decode(&group); err != nil {
			writer.WriteHeader(http.StatusBadRequest)
			return
		}
		group["apiVersion"], group["kind"] = "scheduling.volcano.sh/v1beta1", "PodGroup"
		c.podGroups = append(c.podGroups, group)
		_ = json.NewEncoder(writer).Encode(group)
	default:
		writer.WriteHeader(http.StatusNotFound)
		_, _ = writer.Write([]byte(`{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"NotFound","code":404}`))
	}
}

func madeObjects(ctx context.Context, c client.Client) ([]any, error) {
	configMaps, services := &corev1.ConfigMapList{}, &corev1.ServiceList{}
	ingresses, groups := &networkingv1.IngressList{}, &schedulingv1alpha1.PodGroupList{}
	for _, list := range []client.ObjectList{configMaps, services, ingresses, groups} {
		if err := c.List(ctx, list); err != nil {
			return nil, err
		}
	}
	made := []any{}
	for _, object := range configMaps.Items {
		object.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}
		made = append(made, object)
	}
	for _, object := range services.Items {
		object.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}
		made = append(made, object)
	}
	for _, object := range ingresses.Items {
		object.TypeMeta = metav1.TypeMeta{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"}
		made = append(made, object)
	}
	for _, object := range groups.Items {
		object.TypeMeta = metav1.TypeMeta{APIVersion: "scheduling.x-k8s.io/v1alpha1", Kind: "PodGroup"}
		made = append(made, object)
	}
	return made, nil
}
