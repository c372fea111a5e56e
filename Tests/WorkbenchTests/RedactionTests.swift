import Testing

@testable import Workbench

/// Passwords in entries, whatever characters they have.
struct RedactionTests {
    @Test(arguments: [
        ("cloud setup 'postgres://ann:Zq;7 x@host/db'", "Zq;7 x"),
        ("cloud setup \"postgres://ann:Zq'7|x@host/db\" --account bo", "Zq'7|x"),
        ("cloud setup 'postgres://ann@host/db?password=Zq;7&sslmode=off'", "Zq;7"),
        ("cloud setup postgres://ann:Zq7@x@host/db", "Zq7@x"),
        ("store open app.db --key Zq7x | get kind", "Zq7x"),
        ("store open app.db --key 'Zq;7 x' --name a", "Zq;7 x"),
        ("store open app.db --key=\"Zq'7\"", "Zq'7"),
        ("let a = 'host=h PASSWORD=Zq7x'", "Zq7x"),
    ])
    func aPasswordIsHidden(_ entry: String, _ password: String) {
        let redaction = Redaction(entry)
        #expect(!redaction.entry.contains(password))
        #expect(redaction.entry.utf8.count == entry.utf8.count)
        #expect(redaction.without("no route to \(password) here") == "no route to ••• here")
    }

    @Test(arguments: [
        "open https://example.org/a?b=c", "waypoint add 46.5,7.9 --label 'a@b'", "where name == \"x:y\"", "'",
        "\"a\\",
        "mail ann@example.org", "http://", "password=", "store open app.db --key-file key.txt --key",
        "sort --keyed x",
    ])
    func anEntryWithoutOneStays(_ entry: String) { #expect(Redaction(entry).entry == entry) }

    @Test func whatWasEncodedIsHiddenDecoded() {
        #expect(Redaction("x 'http://a:p%40ss@h/'").without("p@ss and p%40ss") == "••• and •••")
    }
}
