# Goes on where the blocks of install.md end, in a Debian that systemd has booted. The test puts the
# blocks of jobs.md in the places of the lines that begin with @.

echo "== jobs"
@1-mail
@2-units
for job in doctor report notices audit-verify audit-verify audit-export audit-checkpoint; do
  systemctl start "payment-requests-job@$job"
  echo "$job $(systemctl show --property=Result --value "payment-requests-job@$job")"
done
systemctl list-timers --all --no-legend 'payment-requests-*' | wc -l
ls /var/lib/payment-requests/exports

echo "== mail"
/opt/payment-requests/node/bin/node --eval '
  const answers = { EHLO: "250 here", DATA: "354 go on" };
  require("net").createServer((socket) => {
    socket.write("220 here\r\n");
    socket.on("data", (data) => {
      require("fs").appendFileSync("/root/mail", data);
      for (const line of `${data}`.split("\r\n").filter(Boolean))
        if (/^(EHLO|MAIL|RCPT|DATA|QUIT|\.$)/.test(line))
          socket.write(`${answers[line.slice(0, 4)] ?? "250 ok"}\r\n`);
    });
  }).listen(2525, "127.0.0.1");
' &
sed -i 's/^MAIL_URL=.*/MAIL_URL=smtp:\/\/127.0.0.1:2525/' /etc/payment-requests/mail.env
systemctl start payment-requests-job@nothing || echo "failed as it should"
for _ in $(seq 60); do grep -q 'there is no such job' /root/mail 2> /dev/null && break; sleep 1; done
cat /root/mail

echo "== stopped"
UNITS='payment-requests-api@1 payment-requests-api@2 payment-requests-background'
systemctl stop $UNITS
for unit in $UNITS; do
  systemctl show --property=Result,ExecMainStatus --value "$unit" | paste -sd ' '
done

echo "== journal"
journalctl --unit='payment-requests-*' --output=cat --no-pager

echo "== bank"
runuser -u postgres -- psql --quiet --command 'CREATE DATABASE real OWNER payreq_owner'
sed -i 's/\/payments$/\/real/' /etc/payment-requests/credentials/*database-url
sed -i 's/^ENVIRONMENT=.*/ENVIRONMENT=production/' /etc/payment-requests/payment-requests.env
cat >> /etc/payment-requests/payment-requests.env <<END
E_TRANSFER_NETWORK=bank-transfer
CURRENCY=EUR
BANK_FILES_DIR=/var/lib/payment-requests/statements
BANK_REFUNDS_DIR=/var/lib/payment-requests/refunds
END
cat > /etc/payment-requests/bank-fetch <<'END'
#!/bin/sh
echo 'no statement' > "$1/statement.xml"
END
printf '#!/bin/sh\nexit 0\n' > /etc/payment-requests/bank-send
chmod 755 /etc/payment-requests/bank-*
@3-bank-folders
systemctl start payment-requests-migrate payment-requests-background payment-requests-api@1
systemctl start payment-requests-job@fetch-statements
for _ in $(seq 60); do
  [ -n "$(ls /var/lib/payment-requests/statements)" ] || break
  sleep 1
done
echo "left: $(ls -A /var/lib/payment-requests/statements | wc -l)"
journalctl --unit=payment-requests-background --output=cat --no-pager | grep -o '"msg":"bank file[^"]*"' | sort -u
echo '<Document/>' > /var/lib/payment-requests/refunds/PRS-1.xml
chown payment-requests /var/lib/payment-requests/refunds/PRS-1.xml
systemctl start payment-requests-job@hand-over-refunds payment-requests-job@unmatched
ls /var/lib/payment-requests/hand-over/sent
@4-bank-timers
systemctl is-active payment-requests-background payment-requests-api@1 | sort -u
systemctl list-timers --all --no-legend 'payment-requests-*' | wc -l
