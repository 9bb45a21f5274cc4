@pool
Feature: An API that says no
  What another attempt will not change is not tried again: the caller learns at once what the API said.

  Background:
    Given a node pool:
      | address    | status    | platform |
      | 192.0.2.10 | available | vsphere  |

  @NP-2.allocate
  Scenario: an identity that may not write is told which right it lacks
    Given the API answers every write with 403
    When test "login" allocates a node
    Then it is refused with Forbidden, fallback forbidden
    And the message names "configmaps" and "windows-node-pool"
    And it took 1 attempt, on the wire as in its own words
    And no entry has changed

  @NP-2.allocate
  Scenario: an identity that may not read is not told that the pool is missing
    Given the API answers every read with 403
    When test "login" allocates a node
    Then it is refused with Forbidden, fallback forbidden

  @NP-2.allocate
  Scenario: a ConfigMap that is immutable is refused with the API's own words
    Given the pool is immutable
    When test "login" allocates a node
    Then it is refused with ApiRejected, fallback forbidden
    And the message names "windows-node-pool" and "immutable"
    And it took 1 attempt, on the wire as in its own words
    And no entry has changed

  @NP-2.allocate
  Scenario: a caller who gives up is answered, and nothing more is sent
    When test "login" allocates a node and gives up while the API holds its write
    Then it is refused with Cancelled, fallback forbidden
    And no entry has changed
