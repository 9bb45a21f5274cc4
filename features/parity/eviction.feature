@parity @needs-running-pods @needs-workload-image
Feature: How pods are asked to leave
  A drain asks for each pod, budgets may say no for as long as they must, and who leaves has its time.

  @LAW-2.too-many-requests
  Scenario: an eviction that a budget forbids is answered with 429 and the budget's name
    Given pod "game" runs
    And disruption budget "keep" keeps 1 pod ready
    When pod "game" is evicted
    Then the eviction is refused with 429, naming disruption budget "keep"
    And pod "game" is still ready

  @LAW-2.budget @needs-test-nodes @changes-cluster
  Scenario: a disruption budget is honoured while a node is drained
    Given Deployment "web" runs 2 pods on the data node, and may move to the management node
    And disruption budget "keep" keeps 1 pod of Deployment "web" ready
    When the data node is drained
    Then Deployment "web" has 2 ready pods on the management node
    And at no moment fewer than 1 of them was ready
    And the drain had to wait for disruption budget "keep"

  @LAW-2.grace
  Scenario: an evicted pod has its grace period
    Given pod "slow" with a grace period of 2 seconds runs, and won’t end by itself
    When pod "slow" is evicted
    Then pod "slow" was evicted, and had its 2 seconds before it was killed

  @LAW-2.daemon-pods @needs-test-nodes @changes-cluster
  Scenario: pods of a DaemonSet stay on a drained node
    Given DaemonSet "agent" runs on the data node
    And Deployment "web" runs 1 pod on the data node, and may move to the management node
    When the data node is drained
    Then Deployment "web" has 1 ready pod on the management node
    And the drain left the pod of DaemonSet "agent" alone

  @LAW-2.bare-pod @needs-test-nodes @changes-cluster
  Scenario: a drain refuses pods that nobody would replace, and local data, unless told otherwise
    Given pod "alone" runs on the data node
    And Deployment "cache" runs 1 pod with local data on the data node, and may move to the management node
    And Deployment "web" runs 1 pod on the data node, and may move to the management node
    When the data node is drained
    Then the drain is refused before anything is evicted, because of:
      | pod   | workload | because                       |
      | alone |          | nobody would replace it       |
      |       | cache    | its local data would be lost  |
    When the data node is drained by force, local data included
    Then nothing is left to drain on the data node
    And Deployment "cache" has 1 ready pod on the management node
