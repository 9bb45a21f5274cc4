@pool
Feature: Moving between states
  An entry is available, in use or quarantined, and moves only as the table of transitions allows.

  Background:
    Given a node pool:
      | address    | status      | platform | test-id | age    |
      | 192.0.2.10 | available   | vsphere  |         |        |
      | 192.0.2.11 | in-use      | vsphere  | upgrade | 1 hour |
      | 192.0.2.12 | quarantined | vsphere  |         |        |

  @NP-2.update-status
  Scenario Outline: an administrator may move a node from <from> to <to>
    When <address> is set to <to>
    Then it succeeds
    And the pool shows <address> as <to>
    And no other entry has changed

    Examples:
      | address    | from        | to          |
      | 192.0.2.10 | available   | quarantined |
      | 192.0.2.12 | quarantined | available   |

  @NP-2.update-status
  Scenario Outline: the holder may move its node from in-use to <to>
    When test "upgrade" sets 192.0.2.11 to <to>
    Then it succeeds
    And the pool shows 192.0.2.11 as <to>
    And the entry of 192.0.2.11 names no holder

    Examples:
      | to          |
      | available   |
      | quarantined |

  @NP-2.update-status
  Scenario: a test may take the very node it names
    When test "login" sets 192.0.2.10 to in-use
    Then it succeeds
    And the pool shows 192.0.2.10 as in-use by "login" since just now
    And no other entry has changed

  @NP-2.update-status
  Scenario: a lease is not ended by whoever names no test
    When 192.0.2.11 is set to quarantined
    Then it is refused with InvalidRequest, fallback forbidden
    And no entry has changed

  @NP-2.update-status
  Scenario: a node that is taken while it is quarantined stays with its holder
    Given the node 192.0.2.10 passes to test "rival" just before the first write
    When 192.0.2.10 is set to quarantined
    Then it is refused with InvalidRequest, fallback forbidden
    And the pool shows 192.0.2.10 as in-use by "rival"

  @NP-2.update-status
  Scenario Outline: nobody but the holder may move a node from in-use to <to>
    When test "login" sets 192.0.2.11 to <to>
    Then it is refused with NotTheHolder, fallback forbidden
    And no entry has changed

    Examples:
      | to          |
      | available   |
      | quarantined |

  @EDGE-10
  Scenario Outline: <address> may not move from <from> to <to> (<cell>)
    When test "upgrade" sets <address> to <to>
    Then it is refused with InvalidTransition, fallback forbidden
    And the message names "<from>" and "<to>"
    And no entry has changed

    Examples:
      | cell                       | address    | from        | to          |
      | available-to-available     | 192.0.2.10 | available   | available   |
      | in-use-to-in-use           | 192.0.2.11 | in-use      | in-use      |
      | quarantined-to-in-use      | 192.0.2.12 | quarantined | in-use      |
      | quarantined-to-quarantined | 192.0.2.12 | quarantined | quarantined |

  @EDGE-10.new-to-in-use
  Scenario: a host may not be added as in use
    When 192.0.2.20 is added as in-use
    Then it is refused with InvalidTransition, fallback forbidden
    And the message names "new" and "in-use"
    And no entry has changed

  @EDGE-10.in-use-to-removed
  Scenario: a host in use may not be removed
    When 192.0.2.11 is removed
    Then it is refused with InvalidTransition, fallback forbidden
    And the message names "in-use" and "removed"
    And no entry has changed
