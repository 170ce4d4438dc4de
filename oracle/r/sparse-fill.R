# Entries of the Cholesky factor of five-point grids under CHOLMOD's approximate minimum degree order.
# Run from the project root: Rscript oracle/r/sparse-fill.R
suppressMessages(library(Matrix))
grid <- function(g) {
  D <- bandSparse(g, g, c(0, 1), list(rep(2, g), rep(-1, g - 1)), symmetric = TRUE)
  forceSymmetric(kronecker(Diagonal(g), D) + kronecker(D, Diagonal(g)) + Diagonal(g * g))
}
cases <- lapply(c(10, 20, 30), function(g) {
  L <- Cholesky(grid(g), perm = TRUE, LDL = FALSE, super = FALSE)
  list(side = g, entries = length(L@x))
})
out <- list(tool = paste(R.version.string, "Matrix", packageVersion("Matrix")), cases = cases)
writeLines(jsonlite::toJSON(out, auto_unbox = TRUE), "oracle/r/sparse-fill.json")
