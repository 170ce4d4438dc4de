# Rank confidence sets of PISA 2018 mathematics by csranks. The package is not in Debian: give the folder of its sources.
#   Rscript rank-sets.R csranks/ > rank-sets.json
sources <- commandArgs(TRUE)[1]
for (f in c("argument_checks.R", "rank_utils.R", "utilityfunctions.R", "diffmeans.R", "ranks.R", "ranks_multinom.R"))
  source(file.path(sources, "R", f))
load(file.path(sources, "data", "pisa2018.rda"))
version <- read.dcf(file.path(sources, "DESCRIPTION"))[1, "Version"]
d <- pisa2018
cov <- diag(d$math_se^2)
all <- csranks(d$math_score, cov, coverage = .95, simul = TRUE, R = 200000, seed = 1)
each <- csranks(d$math_score, cov, coverage = .95, simul = FALSE, R = 100000, seed = 1)
top <- cstaubest(d$math_score, cov, tau = 5, coverage = .95, R = 200000, seed = 1)
counts <- list(c(50, 40, 20, 10), c(7, 5, 5, 0), c(300, 260, 255, 180, 20), c(12, 1, 1))
num <- function(x) paste0("[", paste(format(x, digits = 15, trim = TRUE), collapse = ","), "]")
chr <- function(x) paste0("[", paste0('"', x, '"', collapse = ","), "]")
shares <- sapply(counts, function(x) {
  s <- csranks_multinom(x, coverage = .95, simul = TRUE)
  m <- csranks_multinom(x, coverage = .95, simul = FALSE)
  paste0('{"counts":', num(x), ',"lower":', num(s$L), ',"upper":', num(s$U),
         ',"marginalLower":', num(m$L), ',"marginalUpper":', num(m$U), "}")
})
cat(paste0('{"tools":{"R":"', getRversion(), '","csranks":"', version, '"},\n"pisa":{"source":"OECD, PISA 2018, mathematics",\n"names":',
           chr(d$jurisdiction), ',\n"score":', num(d$math_score), ',\n"se":', num(d$math_se),
           ',\n"lower":', num(all$L), ',\n"upper":', num(all$U), ',\n"marginalLower":', num(each$L), ',\n"marginalUpper":', num(each$U),
           ',\n"top5":', chr(d$jurisdiction[top]), '},\n"shares":[', paste(shares, collapse = ",\n"), "]}\n"))
