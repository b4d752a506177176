# Reads a case a line, as the test writes them, and answers true, false or error.
require_relative 'webhooks'

username, password = ARGV
NAMES = %w[webhook-id webhook-timestamp webhook-signature authorization]
$stdin.each_line(chomp: true) do |line|
  *values, body, secret = line.split("\t", -1)
  headers = NAMES.zip(values).reject { |_, value| value.empty? }.to_h
  puts genuine?(headers, body.unpack1('m0'), username, password, secret)
rescue ArgumentError
  puts 'error'
end
