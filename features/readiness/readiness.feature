@readiness @needs-windows-stand-in @changes-windows-hosts
Feature: Readiness of the cluster under test
  Before a run is worth anything, one table says what the cluster has and since when; what is not ready is named.

  Background:
    Given a node pool:
      | address           | status    | platform |
      | 203.0.113.10      | available | vsphere  |
      | win-2.example.net | available | vsphere  |
    And there is a Windows MachineSet to copy
    And test "login" has set up a BYOH host by ip

  @NP-6.ready
  Scenario: a cluster is ready when its API, its operator, its pool and its configured hosts are
    When readiness is asked for
    Then everything is ready:
      | subject                         | detail       | since                   |
      | API server                      | v1.36        |                         |
      | Windows Machine Config Operator | 1/1          | its Available condition |
      | Node pool                       | 2 entries    |                         |
      | Node of 203.0.113.10            | 203.0.113.10 | its Ready condition     |

  @NP-6.operator-missing
  Scenario Outline: an operator that is <state> is named
    Given the Windows operator is <state>
    When readiness is asked for
    Then only "Windows Machine Config Operator" is not ready, which says "<detail>"

    Examples:
      | state  | detail         |
      | absent | does not exist |
      | down   | 0/1            |

  @NP-6.pool-invalid
  Scenario: a malformed entry is named
    Given the entry of 203.0.113.14 has no platform
    When readiness is asked for
    Then only "Node pool" is not ready, which says "3 entries, 2 of them valid; malformed: 203.0.113.14 (platform"

  @NP-6.pool-invalid
  Scenario: a pool that is gone is named
    Given the pool is deleted
    When readiness is asked for
    Then only "Node pool" is not ready, which says "There is no ConfigMap"

  @NP-6.pool-invalid
  Scenario: a pool that cannot be read is named
    Given the API answers every read with 403
    When readiness is asked for
    Then only "Node pool" is not ready, which says "403"

  @NP-6.node-not-ready
  Scenario: a configured host that is not Ready is named, with the time since when
    Given the Node of 203.0.113.10 is no longer Ready
    When readiness is asked for
    Then only the Node of 203.0.113.10 is not ready, since its Ready condition changed
