// Certificates for servers of tests: of their own making, for 127.0.0.1.
#pragma once

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

namespace hone::net {

// Frees what OpenSSL made.
template <auto Free>
struct Freed {
  template <class Value>
  void operator()(Value* value) const {
    Free(value);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;

inline Certificate self_signed(EVP_PKEY* key) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* name = X509_get_subject_name(certificate.get());
  const auto* text = reinterpret_cast<const unsigned char*>("hone test");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_EXTENSION* address =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
  X509_add_ext(certificate.get(), address, -1);
  X509_EXTENSION_free(address);
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

inline void write_certificate(X509& certificate, const std::string& file) {
  const std::unique_ptr<FILE, Freed<fclose>> out(std::fopen(file.c_str(), "w"));
  PEM_write_X509(out.get(), &certificate);
}

inline void write_key(EVP_PKEY& key, const std::string& file) {
  const std::unique_ptr<FILE, Freed<fclose>> out(std::fopen(file.c_str(), "w"));
  PEM_write_PrivateKey(out.get(), &key, nullptr, nullptr, 0, nullptr, nullptr);
}

}  // namespace hone::net
