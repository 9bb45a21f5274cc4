@pool
Feature: Nothing to hand out
  A refusal says why nothing fits, names what is there instead, and allows a fallback.

  @EDGE-4.exhausted
  Scenario: a pool whose nodes are all in use is exhausted
    Given a node pool:
      | address    | status | test-id |
      | 192.0.2.10 | in-use | upgrade |
      | 192.0.2.11 | in-use | network |
    When test "login" allocates a node
    Then it is refused with NoneAvailable, fallback allowed
    And the message names "windows-node-pool" and "in-use"
    And no entry has changed

  @EDGE-4.all-set-aside
  Scenario: a pool whose nodes are all quarantined or malformed has none available
    Given a node pool:
      | address    | status      |
      | 192.0.2.10 | quarantined |
      | 192.0.2.11 | quarantined |
    And the entry of 192.0.2.12 has no username
    When test "login" allocates a node
    Then it is refused with NoneAvailable, fallback allowed
    And no entry has changed

  @EDGE-5.one
  Scenario: the one available node is of another platform
    Given a node pool:
      | address    | status    | platform |
      | 192.0.2.10 | available | aws      |
    When test "login" allocates a vsphere node
    Then it is refused with PlatformMismatch, fallback allowed
    And the message names "vsphere" and "aws"
    And no entry has changed

  @EDGE-5.none-of-many
  Scenario: of many nodes none is of the platform, and the message names the platforms that exist
    Given a node pool:
      | address    | status      | platform |
      | 192.0.2.10 | available   | aws      |
      | 192.0.2.11 | available   | azure    |
      | 192.0.2.12 | quarantined | gcp      |
    When test "login" allocates a vsphere node
    Then it is refused with PlatformMismatch, fallback allowed
    And the message names "aws" and "azure"
    And the message names "gcp"
    And no entry has changed
