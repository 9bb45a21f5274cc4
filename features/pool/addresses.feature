@pool
Feature: Addresses
  The keys of the pool are lower-case DNS names and IPv4 addresses. Anything else is refused when it is added, and set
  aside where it is found.

  Background:
    Given a node pool:
      | address    | status    | platform |
      | 192.0.2.10 | available | vsphere  |

  @EDGE-9
  Scenario Outline: <what> is an address like any other (<cell>)
    Given azure host <address> has been added
    When test "login" allocates an azure node
    Then it is given <address>
    And the pool shows <address> as in-use by "login"

    Examples:
      | cell | what                      | address                            |
      | dns  | a DNS name                | win-1.example.com                  |
      | dns  | a DNS name of one label   | winhost                            |
      | dns  | a name that JavaScript has | constructor                       |
      | ipv4 | an IPv4 address           | 192.0.2.7                          |

  @EDGE-9
  Scenario Outline: <what> is refused when it is added, with the reason (<cell>)
    When <address> is added as available
    Then it is refused with AddressRefused, fallback forbidden
    And the message names "<address>" and "<reason>"
    And no entry has changed

    Examples:
      | cell       | what                         | address           | reason     |
      | ipv6       | an IPv6 address              | 2001:db8::1       | IPv6       |
      | upper-case | a name in upper case         | Win-1.example.com | upper-case |
      | underscore | a name with an underscore    | win_1.example.com | underscore |
      | ipv4       | an IPv4 address out of range | 192.0.2.256       | IPv4       |

  @EDGE-9
  Scenario Outline: an available entry under <what> is set aside and not handed out (<cell>)
    Given the pool also has an entry that is under <what>
    When test "login" allocates a node
    Then it is given 192.0.2.10
    And that entry is logged, counted and listed as malformed
    And no other entry has changed

    Examples:
      | cell       | what                       |
      | upper-case | a key in upper case        |
      | underscore | a key with an underscore   |
