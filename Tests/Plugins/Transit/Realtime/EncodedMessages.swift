/// Random messages encoded by Google's protobuf 7.36.2 for Python, and their contents by it.
enum EncodedMessages {
    /// In Base64, each with a line for what it contains.
    static let all: [(message: String, content: String)] = [
        (
            """
            Cg0KAzIuMBAAGKTi7bQGElsKAmUwKlUqEiIQCg50cmlwOjc5MDIyODY0NSoZIhcKDnRyaXA6NzgwODkyMDY0IAYqA3\
            I0MjgBWiIKIAoaZGVzY3JpcHRpb25fdGV4dCBkZSDigJMgNjASAmRlEosBCgJlMSqEATgCUjoKGwoVaGVhZGVyX3Rl\
            eHQgZnIg4oCTIDUyEgJmcgobChVoZWFkZXJfdGV4dCBlbiDigJMgNTESAmVuWkQKIAoaZGVzY3JpcHRpb25fdGV4dC\
            BlbiDigJMgNTASAmVuCiAKGmRlc2NyaXB0aW9uX3RleHQgZnIg4oCTIDkyEgJmcg==
            """,
            """
            1721463076
            alert e0 1 - / description_text de – 60
              - - - trip:790228645 -
              - r42 - trip:780892064 -
            alert e1 2 header_text en – 51 / description_text en – 50
            """
        ),
        (
            """
            Cg0KAzEuMBAAGMGVgs0GElMKAmUwIk0KIAoOdHJpcDoxMzYxMDM1OTYaCDIwMjYxMTEzIAMqAnIwEg8NAACQQRUAQB\
            BDHQAAv0Io1fy2zgY6A3M1N0INEgtXYWdlbiA4OSDDvBI7CgJlMSo1CgYQu5D+2AYKACoDCgFBOAlaIgogChpkZXNj\
            cmlwdGlvbl90ZXh0IGRlIOKAkyA5MRICZGUSagoCZTIqZAoMCJjN27oGEOajscQGCgYQ+cCtvgYqBBICcjAqIiIgCg\
            10cmlwOjQ4MjE3MjM5EggwMjoxNDowNiAAKgNyMjlaIgogChpkZXNjcmlwdGlvbl90ZXh0IGRlIOKAkyA4NBICZGU=
            """,
            """
            1772128961
            vehicle e0 trip:136103596 r0 - 2026-11-13 3 18 144.25 95.5 - s57 1775091285 Wagen 89 ü
            alert e1 9 - / description_text de – 91
              -..1797228603
              -..-
              A - - - -
            alert e2 - - / description_text de – 84
              1733748376..1754026470
              -..1741381753
              - r0 - - -
              - r29 - trip:48217239 -
            """
        ),
        (
            """
            Cg0KAzEuMBAAGKHPrsQGEk8KAmUwIkkKIQoOdHJpcDoyOTE2NjA5NjIaCDIwMjYwNjI2IAMqA3IyORIPDQAAeEIVAI\
            DOQh0AgENDKNTOvNgGQg0SC1dhZ2VuIDUyIMO8Eh4KAmUxKhgKBhC4iueyBgoGEMOO07YGKgQqAnM4OAYSTgoCZTIq\
            SDgJWkQKIAoaZGVzY3JpcHRpb25fdGV4dCBkZSDigJMgMjcSAmRlCiAKGmRlc2NyaXB0aW9uX3RleHQgZW4g4oCTID\
            U1EgJlbg==
            """,
            """
            1753982881
            vehicle e0 trip:291660962 r29 - 2026-06-26 3 62 103.25 195.5 - - 1796155220 Wagen 52 ü
            alert e1 6 - / -
              -..1717159224
              -..1725220675
              - - - - s8
            alert e2 9 - / description_text en – 55
            """
        ),
        (
            """
            Cg0KAzEuMBAAGLefrNUGEk8KAmUwIkkKHAoOdHJpcDo5OTk0NjA0OTcaCDIwMjYwMTI1IAcSDw0AACzCFQCAw8IdAE\
            CLQyjbzJHQBjoDczQ0Qg0SC1dhZ2VuIDI4IMO8
            """,
            """
            1789595575
            vehicle e0 trip:999460497 - - 2026-01-25 7 -43 -97.75 278.5 - s44 1778673243 Wagen 28 ü
            """
        ),
        (
            """
            Cg0KAzIuMBAAGNWv6boGEk0KAmUwIkcKJAoOdHJpcDozNDgwMDQ5MTASCDE5OjQxOjU1GggyMDI2MTIxMBIKDQAAuM\
            EVAACaQSjWyZqyBkINEgtXYWdlbiAyMSDDvBI2CgJlMRowChoKDnRyaXA6NzQ0MjAyMjQzGggyMDI2MDIyNBIAEg0S\
            ACIDczQyMgQKAnAwKI0MEpcBCgJlMiqQAQoMCJGFh9UGENOAwbMGCgYI/L2puwYqESIPCgd0NjE5McOpIAEqAnI5OA\
            lSHQobChVoZWFkZXJfdGV4dCBkZSDigJMgNzMSAmRlWkQKIAoaZGVzY3JpcHRpb25fdGV4dCBlbiDigJMgNjMSAmVu\
            CiAKGmRlc2NyaXB0aW9uX3RleHQgZnIg4oCTIDg1EgJmcg==
            """,
            """
            1733973973
            vehicle e0 trip:348004910 - 70915 2026-12-10 0 -23 19.25 - - - 1715905750 Wagen 21 ü
            update e1 trip:744202243 - - 2026-02-24 0 1549
              - - - - 0 -
              - s42 -@- - 0 p0
            alert e2 9 header_text de – 73 / description_text en – 63
              1788986001..1718632531
              1735024380..-
              - r9 - t6191é -
            """
        ),
        (
            """
            Cg0KAzIuMBAAGJaE69kGEjIKAmUwKiwKBgiysfSvBloiCiAKGmRlc2NyaXB0aW9uX3RleHQgZW4g4oCTIDM2EgJlbh\
            IlCgJlMSofUh0KGwoVaGVhZGVyX3RleHQgZnIg4oCTIDQ4EgJmchI8CgJlMho2ChoKB3Q0NDA1w6kaCDIwMjYwNDI2\
            IAUqA3IyMBINCDEiA3MzMTIECgJwOCi79/////////8BElMKAmUzIk0KHAoOdHJpcDo4MTY1MjMyNDYaCDIwMjYxMD\
            A1IAYSFA0AAKzCFQDAIsMdAMCbQy0AAMJBKI3v3c4GOgNzMTNCDBIKV2FnZW4gMCDDvA==
            """,
            """
            1799012886
            alert e0 - - / description_text en – 36
              1711085746..-
            alert e1 - header_text fr – 48 / -
            update e2 t4405é r20 - 2026-04-26 5 -1093
              49 s31 - - 0 p8
            vehicle e3 trip:816523246 - - 2026-10-05 6 -86 -162.75 311.5 24.25 s13 1775728525 Wagen 0 ü
            """
        ),
        (
            """
            Cg0KAzEuMBAAGMnC0rcGEk4KAmUwIkgKIAoNdHJpcDozMDMxNjkwNBIIMjU6NTk6MTUgACoDcjIzEg8NAAAAwRUAgK\
            HCHQDAhkMomOLwsAZCDRILV2FnZW4gNDUgw7w=
            """,
            """
            1727308105
            vehicle e0 trip:30316904 r23 93555 - 0 -8 -80.75 269.5 - - 1713123608 Wagen 45 ü
            """
        ),
        (
            """
            Cg0KAzIuMBAAGND3tM0GEjsKAmUwGjUKJAoOdHJpcDo3MzczMDE5NTkSCDIxOjI0OjUzGggyMDI2MTEwMhINEgYQsb\
            ewtwYiA3M5Mw==
            """,
            """
            1772960720
            update e0 trip:737301959 - 77093 2026-11-02 0 -
              - s93 -@1726749617 - 0 -
            """
        ),
        (
            """
            Cg0KAzEuMBAAGMSYx7AGElUKAmUwGk8KHwoOdHJpcDoyMzc1NTA1NDYaCDIwMjYwNjE3KgNyMzESFRILCJH///////\
            ///wEoADIECgJwNRIGCF8iAnMzEgIoASje8v////////8BEjEKAmUxKisqAwoBQTgCWiIKIAoaZGVzY3JpcHRpb25f\
            dGV4dCBmciDigJMgODgSAmZyEjYKAmUyGjAKKwoOdHJpcDo3OTMzNDczMjISCDAxOjA0OjU5GggyMDI2MDYwNSAGKg\
            NyMTcotBkSngEKAmUzKpcBKiAiHgoGdDE3OMOpEggyNjo1ODo1NRoIMjAyNjEyMDkgByosIioKDnRyaXA6ODUxOTU2\
            NDc2EggyMToyNToxNRoIMjAyNjAxMDIgASoCcjc4A1pDCiAKGmRlc2NyaXB0aW9uX3RleHQgZGUg4oCTIDI2EgJkZQ\
            ofChlkZXNjcmlwdGlvbl90ZXh0IGZyIOKAkyA1EgJmcg==
            """,
            """
            1712442436
            update e0 trip:237550546 r31 - 2026-06-17 0 -1698
              - - -111@- - 0 p5
              95 s3 - - 0 -
              - - - - 1 -
            alert e1 2 - / description_text fr – 88
              A - - - -
            update e2 trip:793347322 r17 3899 2026-06-05 6 3252
            alert e3 3 - / description_text de – 26
              - - - t178é -
              - r7 - trip:851956476 -
            """
        ),
        (
            """
            Cg0KAzIuMBAAGM/EzMwGEoIBCgJlMCp8CgAKDAiqscSsBhCTmJuwBioDCgFBOARSHQobChVoZWFkZXJfdGV4dCBkZS\
            DigJMgODQSAmRlWkQKIAoaZGVzY3JpcHRpb25fdGV4dCBkZSDigJMgMTESAmRlCiAKGmRlc2NyaXB0aW9uX3RleHQg\
            ZW4g4oCTIDg5EgJlbg==
            """,
            """
            1771250255
            alert e0 4 header_text de – 84 / description_text en – 89
              -..-
              1704007850..1711721491
              A - - - -
            """
        ),
        (
            """
            Cg0KAzEuMBAAGKGajMUGElEKAmUwIksKJAoOdHJpcDo1NTA4NDM3NTISCDE0OjA1OjE3GggyMDI2MDUyMxIPDQAAlE\
            IVAIDxwh0AgE9DKOGittcGQgwSCldhZ2VuIDAgw7wSWAoCZTEaUgomCg50cmlwOjQ1ODQ1NzkwNBIIMDg6MDY6NDUa\
            CDIwMjYxMTEyIAUSCRoAIgNzODkoAxIEGgAoAhIXCG4aBhCo0sm1BiIDczIzKAIyBAoCcDASFQoCZTIaDwoJCgd0Mj\
            cyNcOpEgIIHw==
            """,
            """
            1755516193
            vehicle e0 trip:550843752 - 50717 2026-05-23 0 74 -120.75 207.5 - - 1793954145 Wagen 0 ü
            update e1 trip:458457904 - 29205 2026-11-12 5 -
              - s89 - -@- 3 -
              - - - -@- 2 -
              110 s23 - -@1722968360 2 p0
            update e2 t2725é - - - 0 -
              31 - - - 0 -
            """
        ),
        (
            """
            Cg0KAzIuMBAAGNS49cgGEm0KAmUwKmcqBBICcjI4AlI6ChsKFWhlYWRlcl90ZXh0IGVuIOKAkyAzNBICZW4KGwoVaG\
            VhZGVyX3RleHQgZnIg4oCTIDg0EgJmclohCh8KGWRlc2NyaXB0aW9uX3RleHQgZnIg4oCTIDYSAmZyEioKAmUxGiQK\
            EgoOdHJpcDoyODg1MzU5NTcgBhIOCKoCEgkIkw0Q0a+1uAY=
            """,
            """
            1763531860
            alert e0 2 header_text en – 34 / description_text fr – 6
              - r2 - - -
            update e1 trip:288535957 - - - 6 -
              298 - 1683@1728927697 - 0 -
            """
        ),
    ]
}
