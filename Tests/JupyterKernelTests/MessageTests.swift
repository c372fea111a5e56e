import Core
import Formats
import Foundation
import Testing

@testable import JupyterKernel

@Suite(.enabled(if: NativeLibrary.crypto.isAvailable, "libssl is missing"))
struct MessageTests {
    private let parts = [
        #"{"msg_id":"1","msg_type":"kernel_info_request","session":"s","username":"u","date":"2026-01-01T00:00:00Z","version":"5.4"}"#,
        "{}", "{}", "{}",
    ]

    /// As jupyter_client 8.10 signs these parts with `a-key`.
    private let signature = "c9592f5730a8660ddb72078242b32f4ba7b745ba0e22a41646ef641d28b78e14"

    private func frames(_ signature: String, identities: [String] = ["client"]) -> [[UInt8]] {
        (identities + ["<IDS|MSG>", signature] + parts).map { Array($0.utf8) }
    }

    /// RFC 4231, test cases 1, 2 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ]) func theCodeIsThatOfTheStandard(_ key: [UInt8], _ text: String, _ expected: String) {
        #expect(Digest.hmacSHA256(Array(text.utf8), key: key) == expected)
    }

    @Test func aMessageOfJupyterIsRead() throws {
        let (message, _) = try MessageCoder(key: "a-key").message(of: frames(signature))
        #expect(message.type == "kernel_info_request")
        #expect(message.identities == [Array("client".utf8)])
    }

    @Test func aMessageIsSignedAsJupyterSignsIt() throws {
        let coder = MessageCoder(key: "a-key")
        let (message, _) = try coder.message(of: frames(signature))
        #expect(coder.frames(of: message) == frames(signature))
    }

    @Test func whatIsNotSignedByTheKeyIsDropped() {
        let coder = MessageCoder(key: "a-key")
        let wrong = [
            signature.replacing("c", with: "d"), "", String(signature.dropLast()), signature.uppercased(),
        ]
        for wrong in wrong {
            #expect(throws: MessageFault.wrongSignature) { try coder.message(of: frames(wrong)) }
        }
        #expect(throws: MessageFault.wrongSignature) {
            try MessageCoder(key: "another").message(of: frames(signature))
        }
    }

    @Test func whatIsNoMessageIsDropped() {
        let coder = MessageCoder(key: "")
        #expect(throws: MessageFault.noDelimiter) { try coder.message(of: []) }
        #expect(throws: MessageFault.noDelimiter) { try coder.message(of: [[1], [2]]) }
        #expect(throws: MessageFault.tooShort) { try coder.message(of: frames("").dropLast()) }
        var broken = frames("")
        broken[4] = Array("[]".utf8)
        #expect(throws: MessageFault.notJSON("parent header")) { try coder.message(of: broken) }
        broken[4] = [0xFF, 0]
        #expect(throws: MessageFault.notJSON("parent header")) { try coder.message(of: broken) }
    }

    @Test func aSignatureCountsOnce() {
        var seen = SeenSignatures()
        for number in 0..<10_000 {
            let signature = Array("\(number)".utf8)
            let (first, second) = (seen.remember(signature), seen.remember(signature))
            #expect(!first && second)
        }
        // Without a key there is nothing to compare.
        let (first, second) = (seen.remember([]), seen.remember([]))
        #expect(!first && !second)
    }
}

struct ConnectionFileTests {
    static let ports = #""shell_port":1,"control_port":2,"stdin_port":3,"hb_port":4,"iopub_port":5"#

    private func file(_ text: String) throws -> ConnectionFile {
        try ConnectionFile(Data(text.utf8), named: "kernel-1.json")
    }

    @Test(arguments: ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
    func addressesOfThisMachine(_ ip: String) throws {
        let connection = try file(#"{"ip":"\#(ip)",\#(Self.ports),"key":"k","transport":"tcp"}"#)
        #expect(connection.key == "k")
        #expect(connection.address(of: .heartbeat) == "tcp://\(ip == "::1" ? "[::1]" : ip):4")
    }

    @Test func socketsOfUnix() throws {
        let connection = try file(#"{"ip":"/tmp/k",\#(Self.ports),"transport":"ipc"}"#)
        #expect(connection.address(of: .iopub) == "ipc:///tmp/k-5")
        #expect(connection.key == "")
    }

    @Test(arguments: [
        (#"{"ip":"0.0.0.0",\#(ports)}"#, "0.0.0.0"), (#"{"ip":"192.168.1.5",\#(ports)}"#, "192.168.1.5"),
        (#"{"ip":"127.0.0.1.example.org",\#(ports)}"#, "example.org"),
        (#"{"ip":"*",\#(ports)}"#, "specifies the address *"),
        (#"{\#(ports)}"#, "no `ip`"), (#"{"ip":"::1"}"#, "`shell_port`"),
        (#"{"ip":"::1",\#(ports.replacing("4", with: "70000"))}"#, "`hb_port`"),
        (#"{"ip":"::1",\#(ports),"transport":"udp"}"#, "udp"),
        (#"{"ip":"::1",\#(ports),"signature_scheme":"hmac-md5"}"#, "hmac-md5"), ("[]", "JSON object"),
        ("", "JSON"),
    ]) func whatIsRefused(_ text: String, _ words: String) {
        let error = #expect(throws: RutterError.self) { try file(text) }
        #expect(error?.code == "E-KERNEL-CONNECTION")
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
}
