/** Well-formed entries written as people and tools really write them; each must survive every update of another. */
export const ODD_NEIGHBOURS: Readonly<Record<string, string>> = {
  '192.0.2.201': 'status: available\r\nusername: crlf\r\naddress-type: ip\r\nplatform: vsphere\r\n',
  '192.0.2.202':
    "# by hand\n\nstatus:   \"quarantined\"   # flaky\nusername: 'it''s'\naddress-type: ip\nplatform: vsphere\n\n\n",
  '192.0.2.203':
    '{status: quarantined, username: flow, address-type: ip, platform: vsphere, extra: [1e3, 0123, no, ~]}',
  '192.0.2.204':
    '---\nstatus: quarantined\nusername: Administrator\t\naddress-type: ip\nplatform: vsphere\nnote: |\n  kept\t\n   as it is  \n...\n',
  'odd.example.com':
    'platform: vsphere\naddress-type: dns\nusername: "\\u0041dmin"\nstatus: quarantined\nlast-updated: 2026-03-31T12:00:00+02:00',
}
