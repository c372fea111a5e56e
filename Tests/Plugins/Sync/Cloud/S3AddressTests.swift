import PluginKit
import Testing

@testable import SyncPlugin

/// Addresses of object stores, and the variables that belong to them.
@Suite struct S3AddressTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "anna", "AWS_SECRET_ACCESS_KEY": "se/cr:et@x"]

    private static func address(_ text: String, _ more: [String: String] = [:]) throws -> S3Address {
        try S3Address(text, environment: keys.merging(more) { $1 })
    }

    @Test func theUsualVariables() throws {
        let own = try Self.address("s3://trails/anna/")
        #expect(own.url(own.name("head")) == "https://s3.us-east-1.amazonaws.com/trails/anna/head")
        let region = try Self.address(
            "S3://trails", ["AWS_REGION": "eu-central-2", "AWS_DEFAULT_REGION": "x"])
        #expect(region.url(region.name("head")) == "https://s3.eu-central-2.amazonaws.com/trails/head")
        let server = try Self.address(
            "s3://trails/a b",
            [
                "AWS_ENDPOINT_URL": "http://x", "AWS_ENDPOINT_URL_S3": "https://store.example.org:9000/",
                "AWS_SESSION_TOKEN": "t",
            ])
        #expect(server.url(server.name("c/ä")) == "https://store.example.org:9000/trails/a%20b/c/%C3%A4")
        #expect(server.sessionToken == "t")
        #expect(try Self.address("s3://trails", ["AWS_ENDPOINT_URL": ""]).endpoint.contains("amazonaws"))
    }

    @Test(arguments: [
        "s3://", "s3:///x", "s3://a", "s3://Bucket name/x", "s3://trails/../x", "s3://trails/a//b",
        "s3://trails/./x", "s3://trails/a\u{7}b", "s3://anna:se/cr:et@x@trails/y", "s3://anna@trails",
        "s3://trails..x/y", "file",
    ])
    func notAnAddress(_ text: String) {
        let error = #expect(throws: RutterError.self) { try Self.address(text) }
        #expect(error?.code == "E-SYNC-CLOUD")
        #expect(error?.place == .parameter("cloud"))
        #expect(error?.message.contains("cr:et") == false && error?.message.contains(":se") == false)
    }

    @Test(arguments: ["ftp://x", "x", "https://", "https://a:b@x", "https://x?y=1", "https://x/#y"])
    func notAServer(_ text: String) {
        #expect(throws: RutterError.self) { try Self.address("s3://trails", ["AWS_ENDPOINT_URL": text]) }
    }

    @Test func keysAreNeeded() {
        for missing in Self.keys.keys.sorted() {
            let error = #expect(throws: RutterError.self) { try Self.address("s3://trails", [missing: ""]) }
            #expect(error?.fix?.contains("AWS_SECRET_ACCESS_KEY") == true)
        }
    }

    /// Neither by accident, in a message or a log.
    @Test func aSecretIsNotPrinted() throws {
        let address = try Self.address("s3://trails", ["AWS_SESSION_TOKEN": "to-ken"])
        var dumped = "\(address) \(String(reflecting: address))"
        dump(address, to: &dumped)
        dump(address.signer, to: &dumped)
        dumped += "\(address.signer) \(String(reflecting: address.signer))"
        #expect(!dumped.contains("cr:et"))
        #expect(!dumped.contains("to-ken"))
    }

    @Test func anAddressChoosesItsKind() throws {
        #expect(try CloudKinds.kind(of: nil).kind == EmbeddedKind.self)
        #expect(try CloudKinds.kind(of: "some/file.db").kind == EmbeddedKind.self)
        #expect(try CloudKinds.kind(of: "POSTGRES://x").kind == PostgresKind.self)
        #expect(try CloudKinds.kind(of: "postgresql://x").kind == PostgresKind.self)
        #expect(try CloudKinds.kind(of: "s3://x").kind == S3Kind.self)
        for text in ["gs://x", "://", "gs://"] {
            let error = #expect(throws: RutterError.self) { _ = try CloudKinds.kind(of: text) }
            #expect(error?.code == "E-SYNC-CLOUD")
        }
    }
}
