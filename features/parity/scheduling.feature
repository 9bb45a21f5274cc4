@parity @needs-running-pods @needs-workload-image @needs-test-nodes
Feature: Where pods may run
  A node can refuse pods, drive them away, or have no room left; whoever is not placed is told why.

  @LAW-1.untolerated-taint @changes-cluster
  Scenario: an untolerated taint keeps a pod off and says so
    Given the taint "maintenance" keeps pods off the data node
    When pod "stranger" is created for the data node
    And pod "guest" that tolerates the taint "maintenance" is created for the data node
    Then pod "guest" becomes ready on the data node
    And pod "stranger" stays unscheduled, because of "untolerated taint"
    When the taint "maintenance" of the data node is gone
    Then pod "stranger" becomes ready on the data node

  @LAW-1.preferred-taint @changes-cluster
  Scenario: a preferred taint only prefers
    Given the taint "busy" makes pods avoid the data node
    When pod "free-1" is created for the data node or the management node
    And pod "free-2" is created for the data node or the management node
    And pod "free-3" is created for the data node or the management node
    And pod "bound" is created for the data node
    Then pod "free-1" becomes ready on the management node
    And pod "free-2" becomes ready on the management node
    And pod "free-3" becomes ready on the management node
    And pod "bound" becomes ready on the data node

  @LAW-1.toleration-seconds @changes-cluster
  Scenario: who tolerates a taint for a while is driven away after that while
    Given pod "stranger" runs on the data node
    And pod "brief" that tolerates the taint "maintenance" for 3 seconds runs on the data node
    And pod "patient" that tolerates the taint "maintenance" runs on the data node
    When the taint "maintenance" drives pods away from the data node
    Then pod "stranger" is gone
    And pod "brief" is gone
    And pod "brief" was driven away no sooner than 3 seconds after the taint
    And pod "patient" is still ready

  @LAW-1.resources @alone
  Scenario Outline: when the <resource> of a node runs out, the refusal says so
    Given pod "first" takes most of the free <resource> of the data node
    When pod "second" that asks for as much is created for the data node
    Then pod "second" stays unscheduled, because of "Insufficient <resource>"
    When pod "first" is deleted
    Then pod "second" becomes ready on the data node

    Examples:
      | resource |
      | cpu      |
      | memory   |

  @LAW-1.host-port
  Scenario: a host port is given once a node
    Given pod "first" that wants the host port is created for the data node
    And pod "first" becomes ready on the data node
    When pod "second" that wants the host port is created for the data node
    And pod "elsewhere" that wants the host port is created for the management node
    Then pod "elsewhere" becomes ready on the management node
    And pod "second" stays unscheduled, because of "free ports"
    When pod "first" is deleted
    Then pod "second" becomes ready on the data node
